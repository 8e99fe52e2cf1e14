//! Reads memory that may not be there: other threads give it back at any moment, as the stack of a thread goes when it ends, and
//! not all that is mapped can be read. The system reads it, and says what is gone; a read of this process's own would end it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use crate::raw::Address;

/// Places in one call of the system (`UIO_MAXIOV`).
const AT_A_TIME: usize = 1024;

/// Shows `take` each place that is still there, and the first bytes at it.
pub fn each_there<const N: usize>(
    places: impl Iterator<Item = Address>,
    mut take: impl FnMut(Address, &[u8; N]),
) {
    let places: Vec<Address> = places.collect();
    let mut found = vec![[0; N]; AT_A_TIME];
    let mut rest = &places[..];
    while !rest.is_empty() {
        let some = &rest[..rest.len().min(AT_A_TIME)];
        let read = read(some, &mut found);
        for (&at, bytes) in some.iter().zip(&found[..read]) {
            take(at, bytes);
        }
        // What comes after those that were read is gone.
        let gone = usize::from(read < some.len());
        rest = &rest[read + gone..];
    }
}

/// Fills in what is at a place; false when it is gone, or never was there.
pub fn is_there<const N: usize>(place: Address, found: &mut [u8; N]) -> bool {
    read(&[place], std::slice::from_mut(found)) == 1
}

/// Reads places up to one that is gone; returns how many.
fn read<const N: usize>(places: &[Address], found: &mut [[u8; N]]) -> usize {
    let from: Vec<libc::iovec> = places
        .iter()
        .map(|&at| libc::iovec {
            iov_base: at as *mut libc::c_void,
            iov_len: N,
        })
        .collect();
    let to = libc::iovec {
        iov_base: found.as_mut_ptr().cast(),
        iov_len: N * places.len(),
    };
    // SAFETY: there is room for all; the system checks what it reads.
    let read = unsafe {
        libc::process_vm_readv(
            libc::getpid(),
            &raw const to,
            1,
            from.as_ptr(),
            from.len() as libc::c_ulong,
            0,
        )
    };
    match usize::try_from(read) {
        Ok(bytes) => bytes / N,
        Err(_) if io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT) => 0,
        // A sandbox forbids the call.
        Err(_) => usize::from(by_file(places[0], &mut found[0]).is_ok()),
    }
}

fn by_file(at: Address, found: &mut [u8]) -> io::Result<()> {
    File::open("/proc/self/mem")?.read_exact_at(found, at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_passed_over() {
        let pages: Vec<[u8; 4096]> = (0..3000).map(|page| [(page % 251) as u8; 4096]).collect();
        // Nothing is ever mapped at these.
        let places = pages.iter().enumerate().flat_map(|(number, page)| {
            let gone = (number % 7 == 0).then_some(16 * number);
            [Some(page.as_ptr() as usize), gone]
        });
        let mut seen = Vec::new();
        each_there(places.flatten(), |_, bytes: &[u8; 48]| seen.push(bytes[47]));
        let expected: Vec<u8> = (0..3000).map(|page| (page % 251) as u8).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_file_shows_the_same() {
        let value = 0x0123_4567_89ab_cdef_u64;
        let mut found = [0; 8];
        by_file((&raw const value) as usize, &mut found).unwrap();
        assert_eq!(u64::from_ne_bytes(found), value);
        assert!(by_file(16, &mut found).is_err());
    }
}
