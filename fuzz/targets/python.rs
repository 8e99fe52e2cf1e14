#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| deadweight_fuzz::dump(bytes));
