//! Hash tables of Rust: buckets, and behind them a byte of control for each.

/// Rust looks at this many bytes of control together, and repeats the first ones at the end of the table.
const GROUP: usize = 16;

/// What a byte of control says of a bucket in which nothing ever was.
const EMPTY: u8 = 0xFF;

/// Whether a block is the store of such a table: which of its buckets are in use is chance, and none is a field.
pub(super) fn is_table(content: &[u8]) -> bool {
    let sizes = (2..20).map(|power| 1_usize << power);
    sizes
        .take_while(|buckets| buckets * 2 + GROUP <= content.len())
        .any(|buckets| {
            let control = buckets + GROUP;
            let is_size = (content.len() - control).is_multiple_of(buckets);
            is_size && is_control(&content[content.len() - control..], buckets)
        })
}

fn is_control(control: &[u8], buckets: usize) -> bool {
    let (own, again) = control.split_at(control.len() - GROUP.min(buckets));
    let first = &own[..again.len()];
    let buckets = &own[..buckets];
    // What stands between few buckets and their copies is empty.
    let is_in_use = |byte: &u8| *byte < 0x80;
    first == again
        && own[buckets.len()..].iter().all(|&byte| byte == EMPTY)
        && buckets.contains(&EMPTY)
        && buckets.iter().any(is_in_use)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with one entry.
    fn table(buckets: usize, bytes: usize, at: usize) -> Vec<u8> {
        let mut content = vec![7; buckets * bytes];
        let mut control = vec![EMPTY; buckets + GROUP];
        control[at] = 0x42;
        let copy = if buckets < GROUP {
            GROUP + at
        } else {
            buckets + at % GROUP
        };
        control[copy] = 0x42;
        content.extend(control);
        content
    }

    #[test]
    fn tables_are_known_by_their_control_bytes() {
        for (buckets, bytes) in [(4, 32), (8, 24), (16, 40), (64, 16)] {
            assert!(is_table(&table(buckets, bytes, 3)), "{buckets} of {bytes}");
        }
        assert!(!is_table(&[0; 148]));
        assert!(!is_table(&[EMPTY; 40]));
        let mut other = table(4, 32, 3);
        *other.last_mut().unwrap() = 1;
        assert!(!is_table(&other));
    }
}
