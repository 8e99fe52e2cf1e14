//! A dump without the texts of its program.
//!
//! Strings get placeholders, and so do names that are the program's alone: of its modules, classes, functions, attributes
//! and files. Names of the interpreter and of libraries stay, also where a string says the same, as a key may be the name
//! of an attribute. Of a library's file only the folder is replaced: a reader still
//! sees that it is a library's. Bytes other than those of strings are not in the file; hashes of them stay.

use std::borrow::Cow;
use std::io::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::dicts::Dicts;
use super::header::is_inside;
use super::names::{Names, is_special};
use super::outline::{Outline, outline};
use super::scan::{Scanned, scan};
use super::whose::{Whose, is_own_file};
use super::{around, containers, data_frames};
use crate::error::Malformed;
use crate::secret::secret_hasher;
use crate::strip::{Failure, Placeholders};

/// Writes the dump with its texts replaced; everything else as it is.
pub(super) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // All that can be wrong is found before a byte is written.
    let outline = outline(bytes)?;
    let names = Names::of(bytes, &outline);
    let (mut scanned, _) = scan(bytes, &outline, &names, secret_hasher())?;
    let dicts = Dicts::new(&mut scanned);
    let whose = Whose::of(bytes, &outline, &scanned, &dicts);
    let stays = Stays::of(bytes, &outline, &names, &scanned, &whose);
    let header = header(&outline, placeholders)?;
    let mut written = 0;
    for text in &scanned.texts {
        let span = text.span();
        let raw = &bytes[span.clone()];
        if !stays.texts.contains(raw) && !is_special(raw) {
            out.write_all(&bytes[written..span.start])?;
            out.write_all(&same_length(raw, placeholders.text(&decoded(raw))))?;
            written = span.end;
        }
    }
    out.write_all(&bytes[written..outline.header_at.start])?;
    out.write_all(&header)?;
    written = outline.header_at.end;
    for (number, span) in (0..).zip(&outline.names) {
        if let Some(made) = stays.name(bytes, &outline, number, placeholders) {
            out.write_all(&bytes[written..span.start])?;
            out.write_all(&same_length(&bytes[span.clone()], made))?;
            written = span.end;
        }
    }
    out.write_all(&bytes[written..])?;
    Ok(())
}

/// A text with another character for each half of a pair, which no text of Rust's has; they have three bytes, too.
fn decoded(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(raw) {
        return Cow::Borrowed(text);
    }
    let mut whole = raw.to_vec();
    for at in 0..whole.len().saturating_sub(2) {
        if whole[at] == 0xED && whole[at + 1] >= 0xA0 {
            let half = u32::from(whole[at + 1] & 0x1F) << 6 | u32::from(whole[at + 2] & 0x3F);
            if let Some(character) = char::from_u32(0x4E00 + half) {
                character.encode_utf8(&mut whole[at..at + 3]);
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&whole).into_owned())
}

/// What was made as bytes; where it is not as long as what it stands for, so many letters.
fn same_length(raw: &[u8], made: String) -> Vec<u8> {
    if made.len() == raw.len() {
        made.into_bytes()
    } else {
        vec![b'x'; raw.len()]
    }
}

/// The length of the header and the header, without the program's name and with other names of folders.
fn header(outline: &Outline, placeholders: &mut Placeholders) -> Result<Vec<u8>, Malformed> {
    let mut header = outline.header.clone();
    header.program = placeholders.text(&header.program);
    header.standard_library = header.standard_library.each(|folder| placeholders.text(folder));
    header.site_packages = header.site_packages.each(|folder| placeholders.text(folder));
    let malformed =
        |what: String| Malformed::new(outline.header_at.start, "a header that can be written", what);
    let json = serde_json::to_vec(&header).map_err(|error| malformed(error.to_string()))?;
    let length = u32::try_from(json.len()).map_err(|_| malformed("a longer one".to_owned()))?;
    Ok([&length.to_le_bytes()[..], &json].concat())
}

/// What stays.
struct Stays<'s> {
    /// Texts of names that are no program's.
    texts: FxHashSet<&'s [u8]>,
    /// Names of files, and of those in folders of libraries the folder.
    files: FxHashMap<u32, Option<String>>,
}

impl<'s> Stays<'s> {
    fn of(bytes: &'s [u8], outline: &'s Outline, names: &Names, scanned: &Scanned, whose: &Whose) -> Self {
        let raw = |name: u32| &bytes[outline.names[name as usize].clone()];
        let mut texts: FxHashSet<&[u8]> = FxHashSet::default();
        for (number, ty) in (0..).zip(&outline.types) {
            if !whose.is_own_type(number) {
                texts.extend([Some(ty.name), ty.module].into_iter().flatten().map(raw));
                texts.extend(ty.slots.iter().map(|&(name, _)| raw(name)));
            }
        }
        let mut files = FxHashMap::default();
        let header = &outline.header;
        let folders: Vec<&String> = header
            .standard_library
            .all()
            .iter()
            .chain(header.site_packages.all())
            .collect();
        let mut note = |file: u32| {
            let text = outline.name(bytes, file);
            let folder = folders.iter().find(|folder| is_inside(&text, folder));
            files
                .entry(file)
                .or_insert_with(|| folder.map(|folder| (*folder).clone()));
        };
        for &(row, name, file) in &scanned.values.modules {
            if !whose.is_own_module(row) {
                texts.extend(name.map(raw));
            }
            file.into_iter().for_each(&mut note);
        }
        for &(_, file, _) in &scanned.values.codes {
            note(file);
        }
        for frame in &outline.frames {
            note(frame.file);
        }
        // Attributes of the interpreter's own objects, by which the reader knows what they lead to.
        texts.extend(names.known().map(raw));
        texts.extend(data_frames::KNOWN);
        for name in around::attributes().chain(containers::attributes()) {
            texts.insert(name.as_bytes());
        }
        texts.extend(scanned.values.blocks.iter().map(|&(_, name)| raw(name)));
        Self { texts, files }
    }

    /// What stands for a name; `None` where it stays.
    fn name(
        &self,
        bytes: &[u8],
        outline: &Outline,
        number: u32,
        placeholders: &mut Placeholders,
    ) -> Option<String> {
        let text = outline.name(bytes, number);
        if let Some(folder) = self.files.get(&number) {
            return match folder {
                Some(folder) => {
                    let inside = text.get(folder.len()..).unwrap_or_default();
                    Some(format!("{}{inside}", placeholders.text(folder)))
                }
                None => is_own_file(&outline.header, &text).then(|| placeholders.path(&text)),
            };
        }
        if is_special(text.as_bytes()) || self.texts.contains(text.as_bytes()) {
            return None;
        }
        // A key in a dictionary may be the same text.
        let is_word = text
            .chars()
            .all(|character| character.is_alphanumeric() || character == '_');
        Some(if is_word {
            placeholders.text(&text)
        } else {
            placeholders.name(&text)
        })
    }
}
