//! The tree of stacks.

const NODE: usize = 12;

/// Address and caller of a node; nodes are numbered from 1.
fn node(section: &[u8], id: u32) -> Option<(u64, u32)> {
    let at = (id as usize).checked_sub(1)?.checked_mul(NODE)?;
    let (address, parent) = section.get(at..at + NODE)?.split_first_chunk::<8>()?;
    Some((
        u64::from_le_bytes(*address),
        u32::from_le_bytes(parent.try_into().ok()?),
    ))
}

/// Nodes there are.
pub(super) fn count(section: &[u8]) -> usize {
    section.len() / NODE
}

/// The first byte that is wrong, if one is: a caller that does not stand before its node, or half a node.
pub(super) fn wrong(section: &[u8]) -> Option<usize> {
    let backward =
        (1..=count(section) as u32).find(|id| node(section, *id).is_none_or(|(_, parent)| parent >= *id));
    let half = (!section.len().is_multiple_of(NODE)).then(|| count(section) * NODE);
    backward.map(|id| (id as usize - 1) * NODE).or(half)
}

/// Return addresses of one stack, innermost first.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    pub(super) section: &'a [u8],
    pub(super) next: u32,
}

impl Iterator for Frames<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        // Callers stand before their nodes, so this ends.
        let (address, parent) = node(self.section, self.next)?;
        self.next = parent;
        Some(address)
    }
}
