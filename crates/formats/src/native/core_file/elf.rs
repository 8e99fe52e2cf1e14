//! The head of a core file: its segments and notes.

use std::sync::Arc;

use crate::mapped::MappedFile;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

use super::image::{Image, Segment};
use super::notes::Notes;
use crate::error::Malformed;

type Header = elf::FileHeader64<object::LittleEndian>;
const LITTLE: object::LittleEndian = object::LittleEndian;

/// Whether a file is an ELF core file.
pub fn is_core(bytes: &[u8]) -> bool {
    let kind = bytes
        .get(16..18)
        .map(|kind| u16::from_le_bytes([kind[0], kind[1]]));
    bytes.starts_with(b"\x7FELF") && kind == Some(elf::ET_CORE.0)
}

/// Segments and notes.
pub fn read(bytes: &Arc<MappedFile>) -> Result<(Image, Notes), Malformed> {
    let file: &[u8] = bytes;
    if file.get(4..6) != Some(&[elf::ELFCLASS64.0, elf::ELFDATA2LSB.0]) {
        let found = file
            .get(4..6)
            .map_or_else(|| "the end of the file".to_owned(), |found| format!("{found:?}"));
        return Err(Malformed::new(
            4,
            "a core file of a 64-bit, little-endian machine",
            found,
        ));
    }
    let header = Header::parse(file)
        .map_err(|error| Malformed::new(0, "the head of an ELF file", error.to_string()))?;
    let machine = header.e_machine(LITTLE);
    if ![elf::EM_X86_64, elf::EM_AARCH64].contains(&machine) {
        return Err(Malformed::new(
            18,
            "a core file of x86-64 or AArch64",
            format!("machine {}", machine.0),
        ));
    }
    let table = header.e_phoff(LITTLE) as usize;
    let headers = header
        .program_headers(LITTLE, file)
        .map_err(|error| Malformed::new(32, "a table of segments", error.to_string()))?;
    let mut notes = Notes::default();
    let mut segments = Vec::new();
    let mut stored_in_all = 0_u64;
    let mut last = end_of_sections(header, file)?;
    last = last.max((table + size_of_val(headers)) as u64);
    for (index, segment) in headers.iter().enumerate() {
        let at = table + index * size_of::<elf::ProgramHeader64<object::LittleEndian>>();
        let kind = segment.p_type(LITTLE);
        if kind != elf::PT_LOAD && kind != elf::PT_NOTE {
            continue;
        }
        let (offset, stored) = (segment.p_offset(LITTLE), segment.p_filesz(LITTLE));
        let range = offset
            .checked_add(stored)
            .filter(|&end| end <= file.len() as u64)
            .map(|end| offset as usize..end as usize);
        let Some(range) = range else {
            let wanted = format!("{stored} bytes of a segment from byte {offset} on");
            let found = format!("a file of {} bytes: it was cut off", file.len());
            return Err(Malformed::new(at, wanted, found));
        };
        last = last.max(range.end as u64);
        stored_in_all += stored;
        if stored_in_all > file.len() as u64 {
            return Err(Malformed::new(
                at,
                "segments that share no bytes of the file",
                "more than it has",
            ));
        }
        if kind == elf::PT_NOTE {
            notes.read(file, range)?;
            continue;
        }
        let start = segment.p_vaddr(LITTLE);
        let len = segment.p_memsz(LITTLE).max(stored);
        let end = start.checked_add(len).ok_or_else(|| {
            Malformed::new(
                at + 16,
                "a segment inside the address space",
                format!("0x{start:x}"),
            )
        })?;
        if len > 0 {
            let writable = segment.p_flags(LITTLE).contains(elf::PF_W);
            segments.push((
                Segment {
                    start,
                    end,
                    offset: offset as usize,
                    stored,
                    writable,
                    rest_is_zero: false,
                },
                at,
            ));
        }
    }
    if file.len() as u64 > last {
        return Err(Malformed::new(
            last as usize,
            "the end of the file behind its last segment",
            format!("{} bytes more", file.len() as u64 - last),
        ));
    }
    segments.sort_by_key(|(segment, _)| segment.start);
    if let Some(pair) = segments.windows(2).find(|pair| pair[0].0.end > pair[1].0.start) {
        let found = format!("0x{:x}, inside of another", pair[1].0.start);
        return Err(Malformed::new(
            pair[1].1 + 16,
            "segments that share no addresses",
            found,
        ));
    }
    let mut segments: Vec<Segment> = segments.into_iter().map(|(segment, _)| segment).collect();
    // A picture of our own leaves out what was never touched; the kernel leaves out what it was not asked for.
    if notes.facts.is_some() {
        for segment in &mut segments {
            segment.rest_is_zero = true;
        }
    }
    let image = Image {
        bytes: Arc::clone(bytes),
        segments,
    };
    Ok((image, notes))
}

/// Where the table of sections and what they name end: debuggers write one behind the segments, the kernel writes none.
fn end_of_sections(header: &Header, file: &[u8]) -> Result<u64, Malformed> {
    let offset = header.e_shoff(LITTLE);
    let cut = |what: &str| {
        let found = format!("a file of {} bytes: it was cut off", file.len());
        Malformed::new(offset as usize, what.to_owned(), found)
    };
    let sections = header
        .section_headers(LITTLE, file)
        .map_err(|_| cut("a table of sections"))?;
    let mut end = 0;
    if !sections.is_empty() {
        end = offset.saturating_add(size_of_val(sections) as u64);
    }
    for (from, size) in sections.iter().filter_map(|section| section.file_range(LITTLE)) {
        let after = from.checked_add(size).filter(|&after| after <= file.len() as u64);
        end = end.max(after.ok_or_else(|| cut("sections inside the file"))?);
    }
    Ok(end)
}
