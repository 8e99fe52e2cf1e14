//! The file: bytes gathered before they are written, and its numbers.

use std::ffi::CStr;

const CHUNK: usize = 1 << 20;

/// A file of this recorder's, for its owner alone.
pub struct Output {
    file: libc::c_int,
    buffer: Vec<u8>,
    written: u64,
    failed: bool,
}

impl Output {
    /// Makes a file that is not there yet.
    pub fn create(path: &CStr) -> Option<Self> {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        // SAFETY: a path that ends with zero.
        let file = unsafe { libc::open(path.as_ptr(), flags, 0o600) };
        (file >= 0).then(|| Self {
            file,
            buffer: Vec::with_capacity(CHUNK + (1 << 16)),
            written: 0,
            failed: false,
        })
    }

    /// The bytes so far.
    pub fn place(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    pub fn byte(&mut self, byte: u8) {
        self.buffer.push(byte);
    }

    pub fn number(&mut self, value: u64) {
        number(&mut self.buffer, value);
    }

    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.bytes(text);
    }

    /// Writes the rest and says whether all of it is in the file.
    pub fn finish(mut self) -> bool {
        self.flush();
        // SAFETY: the file is this one's own, and not used after this.
        let closed = unsafe { libc::fsync(self.file) == 0 && libc::close(self.file) == 0 };
        closed && !self.failed
    }

    fn flush(&mut self) {
        let mut rest = &self.buffer[..];
        while !rest.is_empty() && !self.failed {
            // SAFETY: the bytes are there.
            let written = unsafe { libc::write(self.file, rest.as_ptr().cast(), rest.len()) };
            match usize::try_from(written) {
                Ok(written) => rest = &rest[written..],
                Err(_) => {
                    self.failed = std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted;
                }
            }
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
    }
}

/// An unsigned LEB128 number.
#[inline]
pub fn number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_take_seven_bits_a_byte() {
        let written = |value| {
            let mut bytes = Vec::new();
            number(&mut bytes, value);
            bytes
        };
        assert_eq!(written(0), [0]);
        assert_eq!(written(127), [127]);
        assert_eq!(written(300), [0xac, 2]);
        assert_eq!(written(u64::MAX).len(), 10);
    }
}
