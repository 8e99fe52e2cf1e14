//! What is mapped where, from `/proc/self/maps`.

use std::io;

/// One mapping.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// One past the last address.
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// May be read.
    pub readable: bool,
    /// May be executed.
    pub executable: bool,
    /// The file, or a name in brackets, or nothing.
    pub path: Vec<u8>,
    /// The GNU build id of an object that begins here.
    pub build_id: Vec<u8>,
    /// Made by the Go compiler, by a note that begins here.
    pub go: bool,
}

/// Every mapping of this process, in order of address.
pub fn read() -> io::Result<Vec<Mapping>> {
    let text = std::fs::read("/proc/self/maps")?;
    let mut mappings: Vec<Mapping> = text.split(|byte| *byte == b'\n').filter_map(parse).collect();
    for mapping in &mut mappings {
        if mapping.readable && mapping.offset == 0 && mapping.path.first() == Some(&b'/') {
            read_notes(mapping);
        }
    }
    Ok(mappings)
}

fn parse(line: &[u8]) -> Option<Mapping> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut text = || std::str::from_utf8(fields.next()?).ok();
    let (start, end) = text()?.split_once('-')?;
    let access = text()?.as_bytes();
    let offset = text()?;
    let (_device, _inode) = (text()?, text()?);
    let path = fields.next().unwrap_or_default();
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset: u64::from_str_radix(offset, 16).ok()?,
        readable: access.first() == Some(&b'r'),
        executable: access.get(2) == Some(&b'x'),
        path: path.trim_ascii_start().to_vec(),
        build_id: Vec::new(),
        go: false,
    })
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    number(bytes, at).map(|bytes| u64::from_ne_bytes(bytes) as usize)
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    number(bytes, at).map(|bytes| u32::from_ne_bytes(bytes) as usize)
}

/// Looks through the notes of an ELF object (64 bits) whose head is mapped here.
fn read_notes(mapping: &mut Mapping) {
    let len = (mapping.end - mapping.start) as usize;
    // SAFETY: the mapping is readable and stays, because this is the only thread. A file that was cut shorter than its
    // mapping ends the clone, and nothing but the clone.
    let bytes = unsafe { std::slice::from_raw_parts(mapping.start as *const u8, len) };
    if bytes.get(..5) != Some(b"\x7FELF\x02") {
        return;
    }
    let (Some(table), Some(count)) = (word(bytes, 32), number::<2>(bytes, 56).map(u16::from_ne_bytes)) else {
        return;
    };
    for index in 0..usize::from(count) {
        let at = table.saturating_add(index * 56);
        if half(bytes, at) != Some(libc::PT_NOTE as usize) {
            continue;
        }
        // Offsets in the file are offsets here, because the mapping begins with the file.
        let (Some(offset), Some(size)) = (word(bytes, at + 8), word(bytes, at + 32)) else {
            return;
        };
        let Some(notes) = offset.checked_add(size).and_then(|end| bytes.get(offset..end)) else {
            continue;
        };
        read_segment(notes, mapping);
    }
}

fn read_segment(notes: &[u8], mapping: &mut Mapping) {
    let mut at = 0_usize;
    while let (Some(name), Some(len), Some(kind)) =
        (half(notes, at), half(notes, at + 4), half(notes, at + 8))
    {
        let name_at = at + 12;
        let value_at = name_at.saturating_add(name.next_multiple_of(4));
        let value = value_at.checked_add(len).and_then(|end| notes.get(value_at..end));
        match (notes.get(name_at..name_at.saturating_add(name)), kind, value) {
            (Some(b"GNU\0"), 3, Some(value)) => mapping.build_id = value.to_vec(),
            (Some(b"Go\0\0"), 4, _) => mapping.go = true,
            _ => {}
        }
        at = value_at.saturating_add(len.next_multiple_of(4));
    }
}

/// Whether all of a range may be read.
pub fn readable(mappings: &[Mapping], start: u64, len: u64) -> bool {
    let Some(end) = start.checked_add(len) else {
        return false;
    };
    let first = mappings.partition_point(|mapping| mapping.end <= start);
    let mut at = start;
    for mapping in &mappings[first..] {
        if at >= end {
            break;
        }
        if mapping.start > at || !mapping.readable {
            return false;
        }
        at = mapping.end;
    }
    at >= end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_spaces_in_its_path() {
        let mapping = parse(b"7f00-8f00 r-xp 00001000 08:01 1234      /a path/lib.so (deleted)").unwrap();
        assert_eq!(
            (mapping.start, mapping.end, mapping.offset),
            (0x7F00, 0x8F00, 0x1000)
        );
        assert!(mapping.readable && mapping.executable);
        assert_eq!(mapping.path, b"/a path/lib.so (deleted)");
    }

    #[test]
    fn ranges_may_span_mappings_but_no_gaps() {
        let lines: [&[u8]; 3] = [
            b"1000-2000 rw-p 0 0:0 0",
            b"2000-3000 r--p 0 0:0 0",
            b"4000-5000 ---p 0 0:0 0",
        ];
        let mappings: Vec<_> = lines.iter().filter_map(|line| parse(line)).collect();
        assert!(readable(&mappings, 0x1800, 0x1800));
        assert!(!readable(&mappings, 0x1800, 0x1801));
        assert!(!readable(&mappings, 0x4000, 1));
        assert!(!readable(&mappings, 0x800, 0x900));
        assert!(!readable(&mappings, u64::MAX, 2));
    }
}
