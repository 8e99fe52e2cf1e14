//! What is mapped where: objects in the memory of a program file or a library are no blocks.

use std::ffi::{CStr, c_int, c_void};

use crate::raw::Address;

const PAGE: usize = 4096;

/// A stretch of the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mapped {
    start: Address,
    end: Address,
    /// Memory that the process took for itself, and can read.
    is_own: bool,
}

/// All stretches, in order, and those that hold variables of the program file and of libraries.
#[derive(Debug, Default)]
pub struct Maps {
    all: Vec<Mapped>,
    variables: Vec<(Address, Address)>,
}

impl Maps {
    /// Those of this process. `variables` were found by [`variables`].
    pub fn read(variables: Vec<(Address, Address)>) -> Self {
        Self::of(&file(c"/proc/self/maps"), variables)
    }

    pub fn of(text: &[u8], mut variables: Vec<(Address, Address)>) -> Self {
        variables.sort_unstable();
        let all = text.split(|&byte| byte == b'\n').filter_map(|line| {
            let (start, end) = range(line)?;
            let name = line.split(|&byte| byte == b' ').next_back().unwrap_or_default();
            let of_file = name.starts_with(b"/") && !name.starts_with(b"/dev/zero");
            let of_kernel = name.starts_with(b"[v");
            let is_readable = line.split(|&byte| byte == b' ').nth(1)?.starts_with(b"r");
            Some(Mapped {
                start,
                end,
                is_own: is_readable && !of_file && !of_kernel,
            })
        });
        Self {
            all: all.collect(),
            variables,
        }
    }

    #[inline]
    fn find(&self, at: Address) -> Option<&Mapped> {
        let behind = self.all.partition_point(|mapped| mapped.start <= at);
        let mapped = self.all.get(behind.checked_sub(1)?)?;
        (at < mapped.end).then_some(mapped)
    }

    /// Whether an address is no memory that the process took for itself: that of a variable of a library, or of a file.
    #[inline]
    pub fn is_static(&self, at: Address) -> bool {
        self.variables_around(at).is_some() || self.find(at).is_none_or(|mapped| !mapped.is_own)
    }

    /// Whether so many bytes from an address on are memory of the process itself.
    pub fn holds(&self, at: Address, bytes: usize) -> bool {
        // What was asked for at once may be several stretches, of which one is in large pages.
        let mut next = at;
        while let Some(mapped) = self.find(next).filter(|mapped| mapped.is_own) {
            if mapped.end - at >= bytes {
                return true;
            }
            next = mapped.end;
        }
        false
    }

    /// Whether so many bytes from an address on can be read: they are memory of the process itself, or variables.
    pub fn is_readable(&self, at: Address, bytes: usize) -> bool {
        self.variables_around(at)
            .is_some_and(|(_, end)| end - at >= bytes)
            || self.holds(at, bytes)
    }

    /// Where the variables begin and end that stand together with what is at an address.
    pub fn variables_around(&self, at: Address) -> Option<(Address, Address)> {
        let behind = self.variables.partition_point(|(start, _)| *start <= at);
        let around = self.variables[behind.checked_sub(1)?];
        (at < around.1).then_some(around)
    }

    /// Where stretches of the process itself begin and end.
    pub fn own(&self) -> impl Iterator<Item = (Address, Address)> {
        let own = self.all.iter().filter(|mapped| mapped.is_own);
        own.map(|mapped| (mapped.start, mapped.end))
    }
}

/// Where the program file and its libraries have their variables. Those that begin as zeros stand behind the pages of
/// the file, where the kernel makes one mapping of them and of what lies next.
///
/// The dynamic linker's lock is taken: not for the clone.
pub fn variables() -> Vec<(Address, Address)> {
    unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
        // SAFETY: the linker hands over what it has of an object, and what was given to it below.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<Vec<(Address, Address)>>()) };
        for segment in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: there are so many.
            let segment = unsafe { &*info.dlpi_phdr.add(segment) };
            if segment.p_type == libc::PT_LOAD {
                let start = info.dlpi_addr as usize + segment.p_vaddr as usize;
                found.push((start, start + segment.p_memsz as usize));
            }
        }
        0
    }
    let mut found: Vec<(Address, Address)> = Vec::new();
    // SAFETY: the function above takes what is given here.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
        .into_iter()
        .map(|(start, end)| (start & !(PAGE - 1), end))
        .collect()
}

fn range(line: &[u8]) -> Option<(Address, Address)> {
    let first = line.split(|&byte| byte == b' ').next()?;
    let (start, end) = std::str::from_utf8(first).ok()?.split_once('-')?;
    Some((
        usize::from_str_radix(start, 16).ok()?,
        usize::from_str_radix(end, 16).ok()?,
    ))
}

/// The contents of a file that says no size; nothing where it cannot be read.
pub fn file(path: &CStr) -> Vec<u8> {
    let mut all = Vec::new();
    let mut part = [0_u8; 4096];
    // SAFETY: the buffer has room for what is read.
    unsafe {
        let opened = libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if opened < 0 {
            return all;
        }
        loop {
            let read = libc::read(opened, part.as_mut_ptr().cast(), part.len());
            let Ok(read @ 1..) = usize::try_from(read) else {
                break;
            };
            all.extend_from_slice(&part[..read]);
        }
        libc::close(opened);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_libraries_are_no_blocks() {
        let maps = Maps::of(
            b"1000-2000 r--p 00000000 00:1 1                          /usr/lib/libpython3.so\n\
              2000-6000 rw-p 00000000 00:0 0 \n\
              7000-8000 rw-p 00000000 00:0 0                          [heap]\n\
              8000-9000 ---p 00000000 00:0 0 \n\
              a000-b000 r--p 00000000 00:0 0                          [vvar]\n",
            vec![(0x1000, 0x2800)],
        );
        assert!(maps.is_static(0x1800) && maps.is_static(0x27ff));
        // What lies next is in one mapping with them.
        assert!(!maps.is_static(0x2800) && !maps.is_static(0x7fff));
        // What is not mapped, or cannot be read, is no block either.
        assert!(maps.is_static(0x6000) && maps.is_static(0x8800));
        assert!(maps.holds(0x5ff8, 8) && !maps.holds(0x5ff8, 16) && !maps.holds(0x1000, 8));
        let two = Maps::of(
            b"1000-2000 rw-p 0 00:0 0 \n2000-4000 rw-p 0 00:0 0 \n",
            Vec::new(),
        );
        assert!(two.holds(0x1800, 0x2800) && !two.holds(0x1800, 0x2801));
        assert_eq!(
            maps.own().collect::<Vec<_>>(),
            [(0x2000, 0x6000), (0x7000, 0x8000)]
        );
    }

    #[test]
    fn this_process_is_read() {
        static ZEROS: [u64; 4096] = [0; 4096];
        let maps = Maps::read(variables());
        let block = Box::new(1_u64);
        assert!(!maps.is_static(&raw const *block as usize));
        assert!(maps.is_static(&raw const ZEROS as usize));
        assert!(maps.is_static(variables as *const () as usize));
    }
}
