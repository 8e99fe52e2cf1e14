//! A dump as a whole.

use std::path::Path;

use super::blocks::{Block, Numbers};
use super::chunks::Sections;
use super::content::{self, Hole, Piece};
use super::core_file::{self, Part, Walked};
use super::raw::Addresses;
use super::{Facts, Frames, Mapping, facts, mappings, stacks};
use crate::{ReadError, Source};

/// A dump that was read and found to be in order.
#[derive(Debug)]
pub struct Dump {
    /// Size of the file as stored, in bytes.
    pub stored_bytes: u64,
    store: Store,
    blocks: Vec<Block>,
    addresses: Addresses,
    with_contents: bool,
}

/// Where a dump's bytes are.
#[derive(Debug)]
enum Store {
    /// In a recorder's file.
    Written(Sections),
    /// In the memory of a process.
    Walked(Walked),
}

impl Store {
    #[inline]
    fn get(&self, tag: [u8; 4]) -> &[u8] {
        match self {
            Self::Written(sections) => sections.get(tag),
            Self::Walked(walked) if tag == *b"INFO" => &walked.info,
            Self::Walked(walked) if tag == *b"MAPS" => &walked.maps,
            Self::Walked(_) => &[],
        }
    }
}

impl Dump {
    /// Reads a dump, whose sections are unpacked into an unnamed temporary file, or a core file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what the format says: [`ReadError::Malformed`] names the byte of the
    /// file (for what stands in a packed chunk, the chunk's) and what was expected there.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let source = Source::open(path)?;
        if core_file::is_core(&source.bytes) {
            core_file::read(&source, None)
        } else {
            Self::of(&source)
        }
    }

    /// Reads a dump from its bytes.
    pub(crate) fn of(source: &Source) -> Result<Self, ReadError> {
        let path = &source.path;
        let with_contents =
            |sections: &Sections| sections.get(*b"ZERO").is_empty() && sections.get(*b"HASH").is_empty();
        // One thread reads the blocks while the others unpack what stands in them.
        let (sections, blocks) = Sections::read(source, |sections| {
            let blocks = read_blocks(sections, path, with_contents(sections))?;
            let addresses = Addresses::of(mappings::all(sections.get(*b"MAPS")), &blocks);
            Ok((blocks, addresses))
        })?;
        let with_contents = with_contents(&sections);
        check_facts(&sections, path)?;
        check_mappings(&sections, path)?;
        if let Some(at) = stacks::wrong(sections.get(*b"STAK")) {
            return Err(sections.malformed(
                path,
                *b"STAK",
                at,
                "a caller before its callees",
                "something else",
            ));
        }
        let (blocks, addresses) = blocks?;
        Ok(Self {
            stored_bytes: source.stored_bytes,
            store: Store::Written(sections),
            blocks,
            addresses,
            with_contents,
        })
    }

    /// From the memory of a process, whose blocks are known by their allocator alone.
    pub(super) fn walked(stored_bytes: u64, walked: Walked, blocks: Vec<Block>) -> Self {
        let addresses = Addresses::of(mappings::all(&walked.maps), &blocks);
        Self {
            stored_bytes,
            store: Store::Walked(walked),
            blocks,
            addresses,
            with_contents: true,
        }
    }

    /// Whether the dump knows what was asked for, and by whom; else [`Block::requested`] is what the program may use,
    /// and no block has a stack.
    pub fn has_requests(&self) -> bool {
        matches!(self.store, Store::Written(_))
    }

    /// A section as it was written.
    pub(super) fn section(&self, tag: [u8; 4]) -> &[u8] {
        self.store.get(tag)
    }

    /// Whether the file ends before its end is announced: blocks and contents behind that are not known.
    pub fn is_cut(&self) -> bool {
        self.cut().is_some()
    }

    /// Bytes of a file that ends in the middle.
    pub(super) fn cut(&self) -> Option<usize> {
        match &self.store {
            Store::Written(sections) => sections.cut(),
            Store::Walked(_) => None,
        }
    }

    /// Why the dump does not show all there was.
    pub fn incomplete(&self) -> Option<String> {
        let cut = |at| {
            format!("the dump ends at byte {at}, in the middle: blocks and contents behind it are not known")
        };
        let noted = || self.facts().text("incomplete").map(str::to_owned);
        self.cut().map(cut).or_else(noted)
    }

    /// What the dump says of the process.
    pub fn facts(&self) -> Facts<'_> {
        Facts {
            sections: [self.store.get(*b"INFO"), self.store.get(*b"TAIL")],
        }
    }

    /// What was mapped, in order of address; mappings without a name are left out.
    pub fn mappings(&self) -> impl Iterator<Item = Mapping<'_>> {
        mappings::all(self.store.get(*b"MAPS"))
    }

    /// The live blocks, in order of address.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What addresses the blocks and the mappings take.
    pub(super) fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The place of each block in the order of allocations: exact within a thread, to 64 between threads. Nothing when
    /// nobody watched. They are read again, as no figure needs them.
    pub fn sequences(&self) -> impl Iterator<Item = u64> {
        let mut numbers = Numbers::of(self.store.get(*b"BLOK"));
        let mut before: Option<Block> = None;
        std::iter::from_fn(move || {
            before = Some(numbers.block(before.as_ref())?);
            Some(numbers.sequence())
        })
    }

    /// Nodes of the tree of stacks; a block's stack is at most this.
    pub fn stack_nodes(&self) -> usize {
        stacks::count(self.store.get(*b"STAK"))
    }

    /// Return addresses of a stack, innermost first.
    pub fn frames(&self, stack: u32) -> Frames<'_> {
        Frames {
            section: self.store.get(*b"STAK"),
            next: stack,
        }
    }

    /// Whether the dump holds what stood in the blocks, and not only hashes and zero maps.
    pub fn has_contents(&self) -> bool {
        self.with_contents
    }

    /// All that stood in a block, by its index, where it was stored as a whole.
    #[inline]
    pub(super) fn whole(&self, block: usize) -> Option<&[u8]> {
        let Store::Written(sections) = &self.store else {
            return None;
        };
        let found = self.blocks.get(block)?;
        if !self.with_contents || found.unreadable || found.has_holes {
            return None;
        }
        let start = found.stored_at as usize;
        sections
            .get(*b"CONT")
            .get(start..start + found.requested as usize)
    }

    /// What stood in a block, by its index, in pieces that follow each other; nothing when the dump does not hold it.
    pub fn content(&self, block: usize) -> Option<impl Iterator<Item = Piece<'_>>> {
        let found = self
            .blocks
            .get(block)
            .filter(|block| self.with_contents && !block.unreadable)?;
        let (bytes, holes) = (self.store.get(*b"CONT"), self.store.get(*b"HOLE"));
        // Few blocks have any, and looking for them takes a search.
        let mut hole = if found.has_holes {
            content::first_hole(holes, block as u64)
        } else {
            content::holes(holes)
        };
        let mut stored = found.stored_at as usize;
        let (mut at, end) = (0, found.requested);
        Some(std::iter::from_fn(move || {
            if at == end {
                return None;
            }
            if let Store::Walked(walked) = &self.store {
                let piece = match walked.image.part(found.address + at, end - at)? {
                    Part::Bytes(bytes) => Piece::Bytes(bytes),
                    Part::Zeros(len) => Piece::Untouched(len),
                };
                at += piece.len();
                return Some(piece);
            }
            let next = content::hole(holes, hole).filter(|hole| hole.block == block as u64);
            let piece = match next {
                Some(Hole { offset, len, .. }) if offset == at => {
                    hole += 1;
                    Piece::Untouched(len)
                }
                next => {
                    let len = next.map_or(end, |hole| hole.offset) - at;
                    stored += len as usize;
                    Piece::Bytes(&bytes[stored - len as usize..stored])
                }
            };
            at += piece.len();
            Some(piece)
        }))
    }

    /// The keyed hash of a block's contents, in dumps without contents: equal within one dump for equal contents.
    pub fn content_hash(&self, block: usize) -> Option<[u8; 16]> {
        let found = self
            .blocks
            .get(block)
            .filter(|block| !self.with_contents && !block.unreadable);
        found.and_then(|_| self.store.get(*b"HASH").as_chunks::<16>().0.get(block).copied())
    }

    /// Which words of 8 bytes of a block hold anything, a bit each, least significant first, in dumps without
    /// contents.
    pub fn zero_map(&self, block: usize) -> Option<&[u8]> {
        let found = self
            .blocks
            .get(block)
            .filter(|block| !self.with_contents && !block.unreadable)?;
        let start = found.stored_at as usize;
        Some(&self.store.get(*b"ZERO")[start..start + map_bytes(found) as usize])
    }
}

/// Bytes of a block's zero map.
fn map_bytes(block: &Block) -> u64 {
    if block.unreadable {
        0
    } else {
        block.requested.div_ceil(64)
    }
}

fn check_facts(sections: &Sections, path: &Path) -> Result<(), ReadError> {
    for tag in [*b"INFO", *b"TAIL"] {
        let section = sections.get(tag);
        let mut rest = section;
        while !rest.is_empty() {
            let at = section.len() - rest.len();
            (_, _, rest) = facts::split(rest).ok_or_else(|| {
                sections.malformed(
                    path,
                    tag,
                    at,
                    "a name and its value",
                    format!("{} bytes", rest.len()),
                )
            })?;
        }
    }
    Ok(())
}

fn check_mappings(sections: &Sections, path: &Path) -> Result<(), ReadError> {
    let section = sections.get(*b"MAPS");
    let (mut rest, mut before) = (section, 0);
    while !rest.is_empty() {
        let at = section.len() - rest.len();
        let wrong = || {
            sections.malformed(
                path,
                *b"MAPS",
                at,
                "a mapping above the one before",
                "something else",
            )
        };
        let (mapping, after) = mappings::split(rest).ok_or_else(wrong)?;
        if mapping.start < before {
            return Err(wrong());
        }
        (rest, before) = (after, mapping.end);
    }
    Ok(())
}

fn read_blocks(sections: &Sections, path: &Path, with_contents: bool) -> Result<Vec<Block>, ReadError> {
    let holes = sections.get(*b"HOLE");
    let nodes = stacks::count(sections.get(*b"STAK"));
    let mut numbers = Numbers::of(sections.get(*b"BLOK"));
    let mut blocks: Vec<Block> = Vec::new();
    let (tag, len) = if with_contents {
        (*b"CONT", sections.get(*b"CONT").len())
    } else {
        (*b"ZERO", sections.get(*b"ZERO").len())
    };
    let (mut stored_at, mut hole, mut is_cut_off) = (0_u64, 0, false);
    while numbers.at < numbers.bytes.len() {
        let start = numbers.at;
        let wrong =
            |expected: &str, found: String| sections.malformed(path, *b"BLOK", start, expected, found);
        let Some(mut block) = numbers.block(blocks.last()) else {
            if sections.cut().is_some() && numbers.at == numbers.bytes.len() {
                break;
            }
            return Err(wrong("a block above the one before", "something else".to_owned()));
        };
        if block.stack as usize > nodes {
            return Err(wrong(&format!("a stack up to {nodes}"), block.stack.to_string()));
        }
        block.stored_at = stored_at;
        let mut stored = if block.unreadable { 0 } else { block.requested };
        let mut end = 0;
        while let Some(found) = content::hole(holes, hole).filter(|hole| hole.block <= blocks.len() as u64) {
            let until = found.offset.checked_add(found.len).filter(|until| {
                found.block == blocks.len() as u64
                    && found.len > 0
                    && !block.unreadable
                    && found.offset >= end
                    && *until <= block.requested
            });
            let Some(until) = until else {
                return Err(sections.malformed(
                    path,
                    *b"HOLE",
                    hole * 24,
                    "a stretch of a block behind the one before",
                    format!("{found:?}"),
                ));
            };
            stored -= found.len;
            end = until;
            hole += 1;
            block.has_holes = true;
        }
        stored = if with_contents { stored } else { map_bytes(&block) };
        // What stood in this block and all behind it was cut off.
        is_cut_off |= sections.cut().is_some() && stored_at.saturating_add(stored) > len as u64;
        if is_cut_off && stored > 0 {
            (block.unreadable, stored) = (true, 0);
        }
        stored_at = stored_at.checked_add(stored).ok_or_else(|| {
            wrong(
                "blocks that fit into the address space",
                block.requested.to_string(),
            )
        })?;
        blocks.push(block);
    }
    if sections.cut().is_some() {
        return Ok(blocks);
    }
    if hole * 24 != holes.len() {
        return Err(sections.malformed(path, *b"HOLE", hole * 24, "the end of the section", "more"));
    }
    if len as u64 != stored_at {
        return Err(sections.malformed(
            path,
            tag,
            len,
            &format!("{stored_at} bytes for the blocks"),
            len.to_string(),
        ));
    }
    let hashes = sections.get(*b"HASH").len();
    if !with_contents && hashes != blocks.len() * 16 {
        return Err(sections.malformed(
            path,
            *b"HASH",
            hashes,
            &format!("16 bytes for each of {} blocks", blocks.len()),
            hashes.to_string(),
        ));
    }
    Ok(blocks)
}
