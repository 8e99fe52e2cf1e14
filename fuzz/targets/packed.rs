//! The bytes, packed in each way that is read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| deadweight_fuzz::packed(bytes));
