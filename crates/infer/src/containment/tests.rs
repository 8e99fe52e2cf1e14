//! Which windows distinguish one content from another.

use super::*;

#[test]
fn hashes_and_text_show_and_counting_numbers_do_not() {
    assert!(is_distinctive(b"Once upon a time"));
    assert!(is_distinctive(&[
        7, 200, 31, 4, 99, 250, 18, 77, 3, 64, 129, 5, 91, 42, 13, 220
    ]));
    assert!(!is_distinctive(&[
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0
    ]));
    let numbers: Vec<u8> = (1000..1004_u32).flat_map(u32::to_le_bytes).collect();
    assert!(!is_distinctive(&numbers));
    assert!(!is_distinctive(b"----------------"));
}
