//! What was mapped where.

/// One mapping with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping<'a> {
    /// First address.
    pub start: u64,
    /// One past the last address.
    pub end: u64,
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    /// It could be read.
    pub readable: bool,
    /// It could be executed.
    pub executable: bool,
    /// An object made by the Go compiler begins here.
    pub go: bool,
    /// The file, or a name in brackets such as `[heap]`.
    pub path: &'a [u8],
    /// The GNU build id of the object that begins here; empty when it has none or begins elsewhere.
    pub build_id: &'a [u8],
}

/// The mappings of a section, up to one that is cut off.
pub(super) fn all(section: &[u8]) -> impl Iterator<Item = Mapping<'_>> {
    let mut rest = section;
    std::iter::from_fn(move || {
        let (mapping, after) = split(rest)?;
        rest = after;
        Some(mapping)
    })
}

/// The next mapping and what follows; nothing when it is cut off.
pub(super) fn split(bytes: &[u8]) -> Option<(Mapping<'_>, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<32>()?;
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| head[at + index]));
    let short = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let (path, rest) = rest.split_at_checked(short(28))?;
    let (build_id, rest) = rest.split_at_checked(short(30))?;
    let mapping = Mapping {
        start: long(0),
        end: long(8),
        offset: long(16),
        readable: head[24] & 1 != 0,
        executable: head[24] & 2 != 0,
        go: head[24] & 4 != 0,
        path,
        build_id,
    };
    (mapping.start < mapping.end).then_some((mapping, rest))
}
