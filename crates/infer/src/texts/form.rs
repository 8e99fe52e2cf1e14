//! Whether a block is a text from its first byte on, and how it ends.

use deadweight_heap::{Heap, ObjectId};
use memchr::memchr;
use siphasher::sip128::SipHasher13;

use super::BlockText;

/// Shorter text may be a number or the beginning of something else, unless it stands among strings.
pub(super) const SHORTEST: usize = 8;

/// Longer blocks are files and buffers, which are compared as a whole.
pub(super) const LARGEST: u64 = 64 << 10;

/// How a text stands in its block.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Nothing stands behind it.
    Whole,
    /// Something does.
    Begun,
    /// It is whole, and too short to judge what it is.
    Short,
}

/// The text of a block, from its first byte on.
pub(super) fn text(
    heap: &Heap,
    row: ObjectId,
    requested: u64,
    length: Option<u64>,
    hasher: &SipHasher13,
) -> Option<(BlockText, Form)> {
    if requested > LARGEST {
        return None;
    }
    let content = heap.blocks.content(row)?;
    // What a longer text left is no part of one whose length is known.
    let length = length.filter(|&length| length > 0);
    let content = match length {
        Some(length) => &content[..content.len().min(length as usize)],
        None => &content[..],
    };
    // Most blocks are no text from their first bytes on.
    let first = content
        .first_chunk::<SHORTEST>()
        .filter(|_| content.len() > SHORTEST);
    if first.is_some_and(|first| !may_begin_text(*first)) {
        return None;
    }
    let end = memchr(0, content).unwrap_or(content.len());
    let (text, rest) = content.split_at(end);
    if !is_text(text) {
        return None;
    }
    // Who says how long it is has no zero in it.
    if length.is_some() && !rest.is_empty() {
        return None;
    }
    let is_whole = rest.iter().fold(0, |any, byte| any | byte) == 0;
    let form = match (is_whole, text.len() >= SHORTEST || length.is_some()) {
        (true, true) => Form::Whole,
        (false, true) => Form::Begun,
        (true, false) if requested <= SHORTEST as u64 => Form::Short,
        (_, false) => return None,
    };
    let text = BlockText {
        row,
        text: hasher.hash(text).into(),
        bytes: text.len() as u64,
        header: None,
    };
    Some((text, form))
}

/// Whether bytes are UTF-8 as people write it.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    // Without a way out of the loop, many bytes are looked at at a time.
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte)) && std::str::from_utf8(bytes).is_ok()
}

fn is_control(byte: u8) -> bool {
    byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'))
}

fn may_begin_text(bytes: [u8; SHORTEST]) -> bool {
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte))
}
