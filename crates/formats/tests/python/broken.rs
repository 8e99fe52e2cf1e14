//! Files that are not what they should be.

use super::*;

/// Where in a file the error is, and what was expected.
fn error_of(bytes: &[u8]) -> String {
    match try_read(bytes) {
        Ok(_) => panic!("a broken dump was read"),
        Err(error) => error,
    }
}

#[test]
fn a_dump_that_was_cut_off_is_refused_wherever_it_was() {
    let Program { dump, .. } = program();
    let file = dump.file();
    for end in (8..file.len()).step_by(211).chain(file.len() - 300..file.len()) {
        let error = error_of(&file[..end]);
        assert!(
            error.contains("at byte ") && error.contains("expected "),
            "cut at {end}: {error}"
        );
    }
    let error = error_of(&file[..file.len() - 1]);
    assert!(error.contains("DWPYDONE") && error.contains("cut off"), "{error}");
}

#[test]
fn indices_that_lead_nowhere_are_found_where_they_stand() {
    let mut small = Dump::new();
    let one = small.int(1);
    small.list(&[one], 4);
    let whole = small.file();
    assert!(try_read(&whole).is_ok());
    // The second row: list, flags, type, references, two blocks, room, attributes, elements.
    let first = 16 + 2 + 2 + 1 + 2 + 3 + 4;
    let second = &whole[first..];
    assert_eq!(second[..4], [sort::LIST, 0, 1, 0]);
    let patched = |at: usize, to: u8| {
        let mut broken = whole.clone();
        broken[at] = to;
        error_of(&broken)
    };
    for (at, to, expected) in [
        (first, 24, "the sort of a row, below 24, found 24"),
        (first + 2, 9, "the number of a type, below 2, found 9"),
        (first + 12, 3, "the number of a row, below 3, found 3"),
    ] {
        let error = patched(at, to);
        assert!(
            error.contains(&format!("at byte {at}: expected {expected}")),
            "{error}"
        );
    }
    let error = patched(8, 5);
    assert!(
        error.contains("at byte 8: expected a version of the format from 1 to 4, found version 5"),
        "{error}"
    );
}

#[test]
fn every_byte_may_be_wrong() {
    let mut dump = Dump::new();
    let name = dump.str("a name");
    let class = dump.class("__main__", "Order", &["id"], &[]);
    let order = dump.instance(class, ONLY_SLOTS, 0, &[("id", name)]);
    let bytes = dump.bytes(100, 10, 3, true);
    let view = dump.view(bytes, 10);
    let file = with_variables(dump, &[("order", order), ("view", view)]).file();
    for at in 0..file.len() {
        for change in [0x01, 0x55, 0x80, 0xFF] {
            let mut broken = file.clone();
            broken[at] ^= change;
            if let Ok(heap) = try_read(&broken) {
                let held = weighed(&heap).held;
                assert_eq!(
                    held.content + held.runtime + held.dead,
                    held.bytes,
                    "byte {at} ^ {change}"
                );
            }
        }
    }
}

#[test]
fn sums_that_no_memory_holds_do_not_overflow() {
    let mut dump = Dump::new();
    let one = dump.int(1);
    dump.rows[one as usize].blocks = Vec::new();
    let huge = dump.list(&[one], 4);
    let mut payload = Vec::new();
    varint(u64::MAX, &mut payload);
    dump.rows[huge as usize].payload = payload;
    dump.rows[huge as usize].blocks = vec![5 << 32, 1];
    let heap = read(&with_variables(dump, &[("huge", huge)]));
    assert_eq!(heap.bytes(huge), charge(5 << 32) + 16);
    assert_eq!(heap.array(huge).unwrap().capacity, UNKNOWN - 1);
}
