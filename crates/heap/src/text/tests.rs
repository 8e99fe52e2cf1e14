use super::*;

fn json(text: &str) -> String {
    let bytes = text.as_bytes().to_vec();
    let len = bytes.len() as u32;
    Texts::new(Arc::new(bytes), Spans::from_iter([(0, len)]), Encoding::Json)
        .get(0)
        .into_owned()
}

#[test]
fn escapes_are_resolved() {
    assert_eq!(json(r#"a\"b\\c\n\u0041"#), "a\"b\\c\nA");
    assert_eq!(json(r"\ud83d\ude00"), "\u{1F600}");
}

#[test]
fn lone_surrogates_do_not_break_the_text() {
    assert_eq!(json(r"\ud83dx"), "\u{FFFD}x");
    assert_eq!(json(r"\ud83d"), "\u{FFFD}");
    assert_eq!(json(r"\uZZZZ"), "\u{FFFD}");
}

#[test]
fn spans_of_any_size_come_back() {
    let all = [
        (0, 0),
        (7, (1 << 24) - 2),
        (8, (1 << 24) - 1),
        ((1 << 40) - 1, 3),
        (1 << 40, u32::MAX),
    ];
    let (first, second) = all.split_at(2);
    let pieces = [first, second].map(|spans| spans.iter().copied().collect());
    let spans = Spans::join(pieces.into());
    let back: Vec<_> = (0..6).map_while(|id| spans.get(id)).collect();
    assert_eq!(back, all);
}

#[test]
fn spans_outside_the_dump_read_as_empty() {
    let texts = Texts::new(
        Arc::new(b"abc".to_vec()),
        Spans::from_iter([(2, 9)]),
        Encoding::Utf8,
    );
    assert_eq!(texts.get(0), "");
    assert_eq!(texts.get(7), "");
}

#[test]
fn characters_of_one_byte_and_of_two() {
    let bytes = [b'a', 0xE9, 0x3D, 0xD8, 0x00, 0xDE, b'x', 0, 0x3D, 0xD8].to_vec();
    let encoding = Encoding::Units {
        wide: 1,
        endian: crate::Endian::Little,
    };
    let texts = Texts::new(
        Arc::new(bytes),
        Spans::from_iter([(0, 2), (2, 6), (6, 4)]),
        encoding,
    );
    assert_eq!(
        [0, 1, 2].map(|id| texts.get(id).into_owned()),
        ["a\u{E9}", "\u{1F600}x", "x\u{FFFD}"]
    );
    assert_eq!(texts.units(1), 3);
}
