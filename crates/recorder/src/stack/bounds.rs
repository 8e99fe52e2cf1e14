//! Where the calling thread's stack lies.
//!
//! This runs inside of the program's allocations, and the C library allocates while it holds locks of its own:
//! `pthread_getattr_np` holds the thread's. So nothing here calls what may take one.

use std::ops::Range;

/// The calling thread's stack; empty when nobody knows.
pub fn of_this_thread() -> Range<usize> {
    // SAFETY: no arguments.
    let is_main = unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) };
    if is_main { of_main() } else { of_other() }
}

/// The C library reads a file for the main thread's bounds, which costs; the dynamic linker has noted the upper end.
fn of_main() -> Range<usize> {
    // SAFETY: a lookup by name; when found, the symbol is a pointer that the dynamic linker has set.
    let high = unsafe {
        let symbol: *const usize = libc::dlsym(libc::RTLD_DEFAULT, c"__libc_stack_end".as_ptr()).cast();
        if symbol.is_null() { 0 } else { *symbol }
    };
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid place.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    let largest = if known {
        (limit.rlim_cur as usize).min(1 << 30)
    } else {
        8 << 20
    };
    high.saturating_sub(largest)..high
}

/// The C library puts its description of a thread at the upper end of the thread's stack, its own or one that the
/// program gave: the stack is what is mapped below.
fn of_other() -> Range<usize> {
    // SAFETY: no arguments; the C library's `pthread_t` is the description's address.
    let description = unsafe { libc::pthread_self() } as usize;
    match mapping_around(description) {
        Some(mapping) => mapping.start..description,
        None => 0..0,
    }
}

/// The mapping that has an address, read with system calls alone: even `open` is a place where a thread can be ended.
fn mapping_around(address: usize) -> Option<Range<usize>> {
    // SAFETY: the path is a valid text.
    let file = unsafe {
        libc::syscall(
            libc::SYS_openat,
            libc::AT_FDCWD,
            c"/proc/self/maps".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        )
    };
    if file < 0 {
        return None;
    }
    let mut lines = Lines::default();
    let mut found = None;
    let mut piece = [0_u8; 1024];
    loop {
        // SAFETY: reads into the piece, as much as it has room for.
        let bytes = unsafe { libc::syscall(libc::SYS_read, file, piece.as_mut_ptr(), piece.len()) };
        let Some(bytes) = usize::try_from(bytes).ok().filter(|&bytes| bytes > 0) else {
            break;
        };
        found = piece[..bytes]
            .iter()
            .filter_map(|&byte| lines.next(byte))
            .find(|mapping| mapping.contains(&address));
        if found.is_some() {
            break;
        }
    }
    // SAFETY: the file was opened here.
    unsafe { libc::syscall(libc::SYS_close, file) };
    found
}

/// Reads the bounds at the beginning of each line, a byte at a time.
#[derive(Default)]
struct Lines {
    start: usize,
    number: usize,
    part: Part,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Start,
    End,
    Rest,
}

impl Lines {
    /// The bounds that are complete with this byte.
    fn next(&mut self, byte: u8) -> Option<Range<usize>> {
        match (self.part, byte) {
            (_, b'\n') => *self = Self::default(),
            (Part::Rest, _) => {}
            (Part::Start, b'-') => {
                (self.start, self.number, self.part) = (self.number, 0, Part::End);
            }
            (Part::End, b' ') => {
                self.part = Part::Rest;
                return Some(self.start..self.number);
            }
            _ => {
                let digit = (byte as char).to_digit(16)?;
                self.number = self.number << 4 | digit as usize;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn bounds_are_read_from_lines() {
        let text = b"7f00a000-7f00b000 rw-p 00000000 00:00 0 \nffff-1f000 r--p 0 08:01 7    /a-b c-d\n";
        let mut lines = Lines::default();
        let found: Vec<_> = text.iter().filter_map(|&byte| lines.next(byte)).collect();
        assert_eq!(found, [0x7f00_a000..0x7f00_b000, 0xffff..0x1_f000]);
    }

    #[test]
    fn a_threads_stack_has_its_variables() {
        let here = |stack: Range<usize>| {
            let variable = 0_u8;
            stack.contains(&(ptr::from_ref(&variable) as usize)) && stack.len() < 1 << 30
        };
        std::thread::spawn(move || assert!(here(of_this_thread())))
            .join()
            .unwrap();
        // Tests run in threads of their own; the bounds of the main one are found all the same.
        assert!(!of_main().is_empty());
    }
}
