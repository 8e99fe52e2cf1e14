//! Names and the texts of strings, as spans of the file: equal ones have one id.

use std::ops::Range;
use std::sync::Arc;

use deadweight_heap::{Encoding, Spans, TextId, Texts, firsts};
use siphasher::sip128::SipHasher13;

use super::scan::Text;
use crate::error::Malformed;
use crate::mapped::MappedFile;

/// The empty text.
pub(super) const NO_TEXT: TextId = 0;

/// All texts, and which one each name and string has.
pub(super) struct TextTable {
    pub(super) texts: Texts,
    /// By the number of the name.
    pub(super) names: Vec<TextId>,
    /// Strings with their texts, in the order of rows.
    pub(super) strings: Vec<(u32, TextId)>,
}

pub(super) fn text_table(
    file: &Arc<MappedFile>,
    names: &[Range<usize>],
    strings: &[Text],
    hash: SipHasher13,
) -> Result<TextTable, Malformed> {
    let bytes: &[u8] = file;
    let mut spans = Vec::with_capacity(names.len() + strings.len());
    let mut hashes = Vec::with_capacity(names.len() + strings.len());
    for name in names {
        let length = u32::try_from(name.len())
            .map_err(|_| Malformed::new(name.start, "a name of less than 4 GiB", "a longer one"))?;
        spans.push((name.start as u64, length));
        hashes.push(hash.hash(&bytes[name.clone()]).as_u128());
    }
    for string in strings {
        spans.push((string.at, string.bytes));
        hashes.push(string.hash);
    }
    let firsts = firsts(hashes);
    let mut kept = Spans::default();
    kept.push(0, 0);
    let mut ids = vec![NO_TEXT; spans.len()];
    for (at, &first) in firsts.iter().enumerate() {
        if first as usize == at {
            ids[at] = kept.len() as TextId;
            kept.push(spans[at].0, spans[at].1);
        } else {
            ids[at] = ids[first as usize];
        }
    }
    let of_strings = ids.split_off(names.len());
    let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = file.clone();
    Ok(TextTable {
        texts: Texts::new(bytes, kept, Encoding::Utf8),
        names: ids,
        strings: strings.iter().map(|string| string.row).zip(of_strings).collect(),
    })
}
