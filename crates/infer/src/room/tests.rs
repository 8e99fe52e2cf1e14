//! Where what stands in a block ends.

use super::look::last_in_use;

#[test]
fn the_last_byte_in_use_is_found_wherever_it_stands() {
    for len in [0, 1, 127, 128, 129, 300, 1000] {
        let mut content = vec![0; len];
        assert_eq!(last_in_use(&content), None);
        for at in 0..len {
            content[at] = 7;
            assert_eq!(last_in_use(&content), Some(at));
            if at % 3 == 0 {
                content[at] = 0;
            }
        }
    }
}
