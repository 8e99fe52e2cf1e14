//! What a machine counts in a file that it shares with whoever looks: `/tmp/hsperfdata_USER/PID`.

use std::fs;

use super::super::target::Target;

/// The head of the file, up to where its entries begin.
const MAGIC: [u8; 4] = [0xCA, 0xFE, 0xC0, 0xC0];
const FIRST: usize = 24;

/// The file. It is absent with `-XX:-UsePerfData`.
pub(super) struct Counters(Vec<u8>);

impl Counters {
    pub fn of(target: &Target) -> Option<Self> {
        let temporary = fs::read_dir(target.proc("root/tmp")).ok()?.flatten();
        let homes = temporary.filter(|entry| entry.file_name().to_string_lossy().starts_with("hsperfdata_"));
        let name = target.own_pid().to_string();
        let mut files = homes.filter_map(|home| fs::read(home.path().join(&name)).ok());
        files.find(|file| file.starts_with(&MAGIC)).map(Self)
    }

    /// Whether the machine listens to others; `None` where it does not say.
    pub fn listens(&self) -> Option<bool> {
        self.find("sun.rt.jvmCapabilities")
            .and_then(|data| Some(*data.first()? == b'1'))
    }

    fn find(&self, name: &str) -> Option<&[u8]> {
        let mut entries = self.entries();
        entries.find(|(known, _)| *known == name).map(|(_, data)| data)
    }

    /// Names with what stands behind them.
    fn entries(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut at = self.word(FIRST).map_or(usize::MAX, |offset| offset as usize);
        std::iter::from_fn(move || {
            let length = self.word(at)? as usize;
            let entry = self.0.get(at..at.checked_add(length)?)?;
            let offset =
                |place| Some(u32::from_ne_bytes(entry.get(place..place + 4)?.try_into().ok()?) as usize);
            let (name, data) = (entry.get(offset(4)?..)?, entry.get(offset(16)?..)?);
            let end = name.iter().position(|byte| *byte == 0)?;
            at += length.max(1);
            Some((std::str::from_utf8(&name[..end]).unwrap_or_default(), data))
        })
    }

    fn word(&self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at.checked_add(4)?)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(entries: &[(&str, &[u8])]) -> Counters {
        let mut file = MAGIC.to_vec();
        file.resize(FIRST, 0);
        file.extend(32_u32.to_ne_bytes());
        file.resize(32, 0);
        for (name, data) in entries {
            let place = 20 + name.len() + 1;
            for word in [place + data.len(), 20, 0, 0, place] {
                file.extend(u32::try_from(word).unwrap().to_ne_bytes());
            }
            file.extend(name.as_bytes());
            file.push(0);
            file.extend(*data);
        }
        Counters(file)
    }

    #[test]
    fn the_first_capability_counts() {
        let counters = file(&[
            ("sun.gc.metaspace.used", b"1"),
            ("sun.rt.jvmCapabilities", b"0100"),
        ]);
        assert_eq!(counters.listens(), Some(false));
    }

    #[test]
    fn a_file_that_is_cut_or_is_none_tells_nothing_or_less() {
        let whole = file(&[("a", b"1"), ("sun.rt.jvmCapabilities", b"1")]);
        for end in 0..whole.0.len() {
            let cut = Counters(whole.0[..end].to_vec());
            assert_eq!(cut.listens(), None);
        }
        assert_eq!(whole.listens(), Some(true));
    }
}
