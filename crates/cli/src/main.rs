//! The `deadweight` command.
use std::path::Path;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let t = std::time::Instant::now();
    let dump = deadweight_formats::open(Path::new(&path), &deadweight_formats::Beside::default());
    let dump = match dump {
        Ok(d) => d,
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2)
        }
    };
    eprintln!("read {:?}", t.elapsed());
    let source = deadweight_rules::weighing::Source {
        path,
        bytes: dump.stored_bytes,
        format: dump.format.into(),
    };
    let w = deadweight_rules::weigh(&dump.heap, source, &Default::default());
    eprintln!("weighed {:?}", t.elapsed());
    println!("{}", serde_json::to_string_pretty(&w).unwrap());
}
