//! Writes weighings of a made-up fleet as lines of JSON: `cargo run --release --example generate -- 1000000 > weighings.jsonl`.
//! The same number gives the same bytes.

use std::io::{self, BufWriter, Write as _};

mod synthetic;

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let Some(count) = count else {
        return Err(io::Error::other("how many weighings?"));
    };
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    for at in 0..count {
        out.write_all(synthetic::line(at, count).as_bytes())?;
    }
    out.flush()
}
