//! Rare words as members of the program's types: a member moves as a whole, or not at all.

use std::ops::Range;

/// What of some rare fields is whole members; `names` has the path of members to each word of the records, where the source
/// is known. An optional value beside a text that is in use may look like one field with the end of that text, and a container
/// has words of its own that hardly ever change.
pub(super) fn whole_members(names: &[Option<&str>], fields: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if names.iter().all(Option::is_none) {
        return fields;
    }
    let mut is_rare = vec![false; names.len()];
    for word in fields.iter().cloned().flatten() {
        if let Some(rare) = is_rare.get_mut(word) {
            *rare = true;
        }
    }
    let is_whole = |word: usize| {
        let Some(member) = names.get(word).copied().flatten().map(member) else {
            return true;
        };
        let own = names.iter().zip(&is_rare);
        own.filter(|(name, _)| name.is_some_and(|name| self::member(name) == member))
            .all(|(_, rare)| *rare)
    };
    let mut whole = Vec::with_capacity(fields.len());
    for field in fields {
        let mut from = field.start;
        for word in field.start..=field.end {
            if word == field.end || !is_whole(word) {
                if from < word {
                    whole.push(from..word);
                }
                from = word + 1;
            }
        }
    }
    whole
}

/// The member of the program's that a word is in: below it come those of the library, whose names begin with an underscore.
fn member(path: &str) -> &str {
    let of_library = path.match_indices(['.', '[']).find(|(at, _)| {
        let next = path[at + 1..].chars().next();
        path.as_bytes()[*at] == b'[' || next == Some('_')
    });
    of_library.map_or(path, |(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of one rare field of these words.
    fn left(names: &[Option<&str>], field: Range<usize>) -> Option<Range<usize>> {
        let mut whole = whole_members(names, Vec::from_iter([field]));
        assert!(whole.len() < 2);
        whole.pop()
    }

    #[test]
    fn the_end_of_a_text_does_not_move_with_the_value_behind_it() {
        let names = [
            "id",
            "text._M_dataplus._M_p",
            "text._M_string_length",
            "text._M_allocated_capacity",
            "text._M_local_buf[8]",
            "comment._M_payload._M_payload",
            "comment._M_payload._M_engaged",
        ]
        .map(Some);
        assert_eq!(left(&names, 4..7), Some(5..7));
        assert_eq!(left(&names, 1..7), Some(1..7));
        assert_eq!(left(&[None; 7], 4..7), Some(4..7));
    }

    #[test]
    fn words_of_a_container_are_no_members() {
        let names = [
            "first._M_dataplus._M_p",
            "second._M_t._M_impl._M_key_compare",
            "second._M_t._M_impl._M_header._M_color",
            "second._M_t._M_impl._M_header._M_parent",
        ]
        .map(Some);
        assert_eq!(left(&names, 1..3), None);
    }

    #[test]
    fn a_member_within_a_member_moves_by_itself() {
        let names = ["at.x", "at.note._M_payload", "at.note._M_engaged", "id"].map(Some);
        assert_eq!(left(&names, 1..3), Some(1..3));
    }
}
