//! Reads of the process's own memory.

/// An address in the process.
pub type Address = usize;

/// The word at an address.
///
/// # Safety
/// The address is that of readable memory, of what the caller takes it for.
#[inline]
pub unsafe fn word(at: Address) -> usize {
    // SAFETY: the caller's promise; words of objects are aligned.
    unsafe { (at as *const usize).read_unaligned() }
}

/// The half word at an address.
///
/// # Safety
/// As for [`word`].
#[inline]
pub unsafe fn half(at: Address) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { (at as *const u32).read_unaligned() }
}

/// The byte at an address.
///
/// # Safety
/// As for [`word`].
#[inline]
pub unsafe fn byte(at: Address) -> u8 {
    // SAFETY: the caller's promise.
    unsafe { (at as *const u8).read() }
}

/// The bytes at an address.
///
/// # Safety
/// As for [`word`], and nothing changes them: the clone is alone.
pub unsafe fn bytes<'a>(at: Address, count: usize) -> &'a [u8] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(at as *const u8, count) }
}

/// The characters up to a zero byte.
///
/// # Safety
/// As for [`word`].
pub unsafe fn c_text<'a>(at: Address) -> &'a [u8] {
    if at == 0 {
        return b"";
    }
    // SAFETY: the caller's promise.
    unsafe { std::ffi::CStr::from_ptr(at as *const std::ffi::c_char).to_bytes() }
}

/// The type of an object.
///
/// # Safety
/// The address is that of an object.
#[inline]
pub unsafe fn class_of(object: Address) -> Address {
    // SAFETY: the caller's promise.
    unsafe { word(object + 8) }
}

/// The count of an object whose length varies.
///
/// # Safety
/// The address is that of such an object.
#[inline]
pub unsafe fn count(object: Address) -> isize {
    // SAFETY: the caller's promise.
    unsafe { word(object + 16) }.cast_signed()
}
