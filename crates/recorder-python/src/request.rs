//! What the recorder asks for: one dump with its record.

use std::ffi::{CStr, c_char};

use crate::raw::Address;

/// A request. The recorder has the same structure in `deadweight_recorder_library.py`.
#[repr(C)]
pub struct Request {
    /// The dump while it is written, and when it is whole; null for a record without a dump.
    dump_part: *const c_char,
    dump: *const c_char,
    /// The same of the record, `capture.json`.
    record_part: *const c_char,
    record: *const c_char,
    /// JSON of the header, up to what this library adds; its closing brace is not there.
    header: *const c_char,
    /// JSON of the record, likewise.
    record_front: *const c_char,
    /// The name of the dump in the record.
    dump_name: *const c_char,
    /// The frame object of the function that calls.
    pub frame: Address,
    /// `gc.get_threshold()`.
    pub thresholds: [u32; 3],
    /// 1 when small objects come from pymalloc's pools.
    pub has_pools: u32,
    /// `time.monotonic()` when the capture began.
    pub began: f64,
    /// Peak of the resident memory before it began.
    pub peak_before: u64,
    /// The line of each frame of what is recorded (`deadweight_churn_frames`), 0 for one that is left out; null where nobody
    /// asks for the lines that made objects.
    pub lines: *const u32,
}

impl Request {
    pub fn dump(&self) -> Option<(&CStr, &CStr)> {
        // SAFETY: the recorder hands over texts that end with zero, and null for none.
        unsafe { (!self.dump.is_null()).then(|| (CStr::from_ptr(self.dump_part), CStr::from_ptr(self.dump))) }
    }

    pub fn record(&self) -> (&CStr, &CStr) {
        // SAFETY: as above.
        unsafe { (CStr::from_ptr(self.record_part), CStr::from_ptr(self.record)) }
    }

    pub fn header(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(self.header) }.to_bytes()
    }

    pub fn record_front(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(self.record_front) }.to_bytes()
    }

    pub fn dump_name(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(self.dump_name) }.to_bytes()
    }
}
