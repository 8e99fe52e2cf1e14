//! What the recorder of a Ruby process writes beside its dump: names and values that the dump does not have. Addresses
//! are those of the dump.

use serde::Deserialize;

/// The files, by what is in them.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RubyFiles {
    /// Lists of names, as JSON.
    pub groups: String,
    /// Owners with their group and values, in words of 64 bits.
    pub fields: String,
    /// Address, bytes and hash of strings that are not plain ASCII, and of those that are long enough to share their
    /// characters.
    pub strings: String,
    /// The beginnings of texts by their hash, as JSON.
    pub excerpts: String,
    /// Addresses of what was there before the program.
    pub before: String,
    /// Where classes are written, as JSON; recorders of before wrote none.
    #[serde(default)]
    pub classes: Option<String>,
}

/// The contents of [`RubyFiles`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RubyContents {
    /// Lists of names, in the order of the values, which `fields` refers to.
    pub groups: Vec<Vec<String>>,
    /// Records one behind the other: the address of an object (1 for the table of global variables), the number of its
    /// group, and for each name of the group the word that stands there: an address, or a value as Ruby packs it.
    pub fields: Vec<u64>,
    /// Three words for each string that is not plain ASCII, or is long enough to share its characters: address, bytes, a
    /// hash of the contents with a key that is not kept. Recorders of before left out those whose text the dump has.
    pub strings: Vec<u64>,
    /// The beginnings of texts, by their hash.
    pub excerpts: Vec<(u64, String)>,
    /// Addresses of what was there before the program began.
    pub before: Vec<u64>,
    /// Name, file and line of classes.
    pub classes: Vec<(String, String, u32)>,
}
