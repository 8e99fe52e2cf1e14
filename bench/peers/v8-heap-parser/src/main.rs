//! The crate as a program: loads a snapshot and counts its nodes.

use std::fs::File;
use std::io::BufReader;

fn main() {
    let path = std::env::args_os().nth(1).expect("a snapshot");
    let file = BufReader::with_capacity(1 << 20, File::open(path).expect("the snapshot opens"));
    let graph = v8_heap_parser::decode_reader(file).expect("the snapshot is read");
    println!("{}", graph.nodes().len());
}
