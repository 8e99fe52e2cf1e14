//! Strings that are broken.

use crate::{fails, small, weighed, with};

#[test]
fn broken_strings_are_read_or_reported() {
    for odd in [
        &b"\\x"[..],
        b"\\u12",
        b"\\uZZZZ",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\x01\x02",
        b"\xFF\xFE\xC0",
        b"\n",
        b"\0",
        "\u{1F600}".as_bytes(),
    ] {
        let text = small().into_bytes();
        let at = text.windows(8).position(|part| part == b"\"a name\"").unwrap();
        let mut bytes = text[..=at].to_vec();
        bytes.extend_from_slice(odd);
        bytes.extend_from_slice(&text[at + 7..]);
        let heap = weighed(&bytes).unwrap();
        for id in 0..heap.texts.len() as u32 {
            let _ = heap.texts.get(id);
            let _ = heap.texts.shown(id, 3);
            let _ = heap.texts.units(id);
        }
    }
    fails(with("\"a name\"", "\"a name"), None, "a string");
    fails(with("\"a name\"", "a name"), None, "a string");
    fails(with("\"a name\"", "7"), None, "a string");
    let text = small();
    let end = text.rfind('"').unwrap();
    fails(&text[..end], Some(end), "the '\"' that ends a string");
    fails(format!("{}\\", &text[..end]), None, "the '\"' that ends a string");
}
