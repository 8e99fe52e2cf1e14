//! What is done to a seed: bytes are cut, added or altered, and files of a capture replaced.

use fastrand::Rng;

use super::seeds::{Kind, Seed};

/// What a change does to what the seed says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// Something is missing: no command may take what is left for all of it.
    Cut,
    /// Something stands behind the end.
    Added,
    /// Bytes are others; what they say may still be possible.
    Altered,
}

/// What stands in the place of a file of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    Bytes,
    Missing,
    Directory,
    /// A link to a device without an end.
    Device,
    Pipe,
}

/// One changed seed.
#[derive(Debug)]
pub struct Change {
    /// The file of the seed that is changed.
    pub file: usize,
    pub bytes: Vec<u8>,
    pub stand: Stand,
    pub harm: Harm,
    /// Whether the list of a capture's files is left beside them. Without it readers see what it would have refused.
    pub has_list: bool,
    /// What was done, for whoever looks at what was found.
    pub note: String,
}

/// Numbers at which readers break.
const NUMBERS: [&str; 9] = [
    "-1",
    "0",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "0.5",
];

/// Changes a seed in one way.
pub fn change(seed: &Seed, rng: &mut Rng) -> Change {
    let file = rng.usize(..seed.files.len());
    let bytes = &seed.files[file].1;
    let has_list = rng.bool();
    if seed.kind == Kind::Capture && rng.u8(..8) == 0 {
        let stands = [Stand::Missing, Stand::Directory, Stand::Device, Stand::Pipe];
        let stand = stands[rng.usize(..stands.len())];
        return Change {
            file,
            bytes: Vec::new(),
            stand,
            harm: Harm::Cut,
            has_list,
            note: format!("{stand:?} in the place of {}", seed.files[file].0),
        };
    }
    let (bytes, harm, note) = match rng.u8(..10) {
        0..=2 => cut(bytes, rng),
        3 => added(bytes, rng),
        4 => removed(bytes, rng),
        5 => repeated(bytes, rng),
        6 | 7 => numbered(bytes, rng),
        _ => flipped(bytes, rng),
    };
    Change {
        file,
        bytes,
        stand: Stand::Bytes,
        harm,
        has_list,
        note: format!("{}: {note}", seed.files[file].0),
    }
}

type Changed = (Vec<u8>, Harm, String);

/// White space at the end says nothing.
fn cut(bytes: &[u8], rng: &mut Rng) -> Changed {
    let at = match rng.u8(..4) {
        // Near the end, where the end mark of a format stands.
        0 => bytes.len().saturating_sub(rng.usize(..64)),
        // Behind a line.
        1 => {
            let from = rng.usize(..bytes.len().max(1));
            let line = bytes[from.min(bytes.len())..]
                .iter()
                .position(|&byte| byte == b'\n');
            line.map_or(from, |line| from + line + 1)
        }
        _ => rng.usize(..bytes.len().max(1)),
    };
    let harm = if bytes[at..].iter().all(u8::is_ascii_whitespace) {
        Harm::Altered
    } else {
        Harm::Cut
    };
    (bytes[..at].to_vec(), harm, format!("cut at {at}"))
}

fn added(bytes: &[u8], rng: &mut Rng) -> Changed {
    let more: Vec<u8> = match rng.u8(..4) {
        0 => bytes.to_vec(),
        1 => vec![0; rng.usize(1..5_000)],
        2 => b"and some text behind it\n".to_vec(),
        _ => (0..rng.usize(8..300)).map(|_| rng.u8(128..)).collect(),
    };
    let note = format!("{} bytes behind the end", more.len());
    ([bytes, &more].concat(), Harm::Added, note)
}

fn span(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let from = rng.usize(..bytes.len().max(1));
    let most = if rng.bool() { 16 } else { bytes.len().max(1) };
    from.min(bytes.len())..(from + rng.usize(1..=most)).min(bytes.len())
}

fn removed(bytes: &[u8], rng: &mut Rng) -> Changed {
    let span = span(bytes, rng);
    let left = [&bytes[..span.start], &bytes[span.end..]].concat();
    (left, Harm::Altered, format!("{span:?} removed"))
}

fn repeated(bytes: &[u8], rng: &mut Rng) -> Changed {
    let span = span(bytes, rng);
    let more = [&bytes[..span.end], &bytes[span.start..]].concat();
    (more, Harm::Altered, format!("{span:?} twice"))
}

fn numbered(bytes: &[u8], rng: &mut Rng) -> Changed {
    let from = rng.usize(..bytes.len().max(1)).min(bytes.len());
    let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit) else {
        return flipped(bytes, rng);
    };
    let start = from + start;
    let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit());
    let end = start + digits.count();
    let number = NUMBERS[rng.usize(..NUMBERS.len())];
    let changed = [&bytes[..start], number.as_bytes(), &bytes[end..]].concat();
    (changed, Harm::Altered, format!("{number} at {start}"))
}

fn flipped(bytes: &[u8], rng: &mut Rng) -> Changed {
    let mut bytes = bytes.to_vec();
    let count = rng.usize(1..=8);
    let mut at = Vec::new();
    for _ in 0..count.min(bytes.len()) {
        let place = rng.usize(..bytes.len());
        bytes[place] = if rng.bool() {
            rng.u8(..)
        } else {
            bytes[place] ^ (1 << rng.u8(..8))
        };
        at.push(place);
    }
    (bytes, Harm::Altered, format!("other bytes at {at:?}"))
}
