//! What the probe found in one buffer.

use serde::{Deserialize, Deserializer, de::Error};

/// One row of the side file. Pages, lines and words count from the first byte of the buffer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct BufferRow {
    /// Its element in the array `buffers` of the object of class `DeadweightProbe` in the snapshot.
    pub index: u32,
    /// Its length in bytes.
    pub bytes: u64,
    /// How many of them are zero.
    pub zero_bytes: u64,
    /// How many words of 8 bytes are not all zero.
    pub nonzero_words: u64,
    /// The bytes in pages of 4096 bytes that are all zero, and so were perhaps never touched.
    pub zero_page_bytes: u64,
    /// How many lines of 64 bytes are all zero.
    pub zero_lines: u64,
    /// A hash of the contents: equal buffers have equal hashes. In the file it is 16 hexadecimal digits.
    #[serde(deserialize_with = "hexadecimal")]
    pub hash: u64,
    /// Whether it is shared between threads.
    #[serde(default)]
    pub shared: bool,
}

fn hexadecimal<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(input)?;
    u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom("the hash is not 16 hexadecimal digits"))
}
