//! The `deadweight` command.

fn main() {}
