//! What a process has mapped, from `/proc/PID/maps`.

use std::path::Path;
use std::{fs, io};

/// One mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    pub readable: bool,
    pub writable: bool,
    /// What is written to it stays the process's own.
    pub private: bool,
    /// The file, a name in brackets, or nothing.
    pub path: Vec<u8>,
}

impl Mapping {
    /// Whether it maps a file.
    pub fn is_file(&self) -> bool {
        self.path.first() == Some(&b'/')
    }

    /// The file's name without its directories.
    pub fn name(&self) -> &[u8] {
        self.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
    }
}

/// Every mapping, in order of address.
pub fn read(path: &Path) -> io::Result<Vec<Mapping>> {
    let text = fs::read(path)?;
    Ok(text.split(|byte| *byte == b'\n').filter_map(parse).collect())
}

fn parse(line: &[u8]) -> Option<Mapping> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut text = || str::from_utf8(fields.next()?).ok();
    let (start, end) = text()?.split_once('-')?;
    let access = text()?.as_bytes();
    let offset = text()?;
    let (_device, _inode) = (text()?, text()?);
    let path = fields.next().unwrap_or_default().trim_ascii_start();
    let has = |at: usize, letter: u8| access.get(at) == Some(&letter);
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset: u64::from_str_radix(offset, 16).ok()?,
        readable: has(0, b'r'),
        writable: has(1, b'w'),
        private: has(3, b'p'),
        path: path.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_spaces_in_its_path() {
        let mapping = parse(b"7f00-8f00 rw-p 00001000 08:01 1234      /a path/lib.so (deleted)").unwrap();
        assert_eq!(
            (mapping.start, mapping.end, mapping.offset),
            (0x7F00, 0x8F00, 0x1000)
        );
        assert!(mapping.writable && mapping.private && mapping.is_file());
        assert_eq!(mapping.name(), b"lib.so (deleted)");
        assert!(!parse(b"7f00-8f00 rw-s 0 0:0 0").unwrap().private);
    }
}
