//! What the dump says of the process.

/// Names and values, in the order they were written. A name may come more than once.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub(super) sections: [&'a [u8]; 2],
}

/// The next name and value, and what follows; nothing when it is cut off.
pub(super) fn split(bytes: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let (name, rest) = bytes.split_first_chunk::<4>()?;
    let (value, rest) = rest.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(u32::from_le_bytes(*name) as usize)?;
    let (value, rest) = rest.split_at_checked(u32::from_le_bytes(*value) as usize)?;
    Some((str::from_utf8(name).ok()?, value, rest))
}

/// Bytes of the names and values at the beginning that are whole.
pub(super) fn whole(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((.., after)) = split(rest) {
        rest = after;
    }
    bytes.len() - rest.len()
}

impl<'a> Facts<'a> {
    /// Every name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        self.sections.into_iter().flat_map(|section| {
            let mut rest = section;
            std::iter::from_fn(move || {
                let (name, value, after) = split(rest)?;
                rest = after;
                Some((name, value))
            })
        })
    }

    /// Every name and value of the first section, or of the last.
    pub(super) fn of_section(&self, index: usize) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        let mut sections = [&[][..], &[]];
        sections[0] = self.sections[index];
        Facts { sections }.iter()
    }

    /// The first value of a name.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The first value of a name as text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        str::from_utf8(self.get(name)?).ok()
    }

    /// The first value of a name as a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.parse().ok()
    }
}
