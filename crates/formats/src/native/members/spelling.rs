//! Names of types as compilers and demanglers spell them, made comparable.

/// A type's name without blanks and with the numbers' types and suffixes of one spelling: debug information has `long
/// unsigned int` and `16` where symbols have `unsigned long` and `16ul`.
pub(super) fn plain(name: &str) -> String {
    const SPELLINGS: [(&str, &str); 6] = [
        ("long long unsigned int", "unsigned long long"),
        ("long unsigned int", "unsigned long"),
        ("short unsigned int", "unsigned short"),
        ("long long int", "long long"),
        ("long int", "long"),
        ("short int", "short"),
    ];
    let name = SPELLINGS
        .iter()
        .fold(name.to_owned(), |name, (from, to)| name.replace(from, to));
    let name = without_casts(&name);
    let mut plain = String::with_capacity(name.len());
    let mut is_number = false;
    for character in name.chars() {
        if is_number && matches!(character, 'u' | 'l') {
            continue;
        }
        let is_inside = plain.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        is_number = character.is_ascii_digit() && (is_number || !is_inside);
        if !character.is_whitespace() {
            plain.push(character);
        }
    }
    plain
}

/// Without the types that stand in brackets before numbers: `(unsigned long)3`.
fn without_casts(name: &str) -> String {
    let mut rest = name;
    let mut without = String::with_capacity(name.len());
    while let Some(start) = rest.find('(') {
        let inside = &rest[start + 1..];
        let end = inside
            .find(['(', ')'])
            .filter(|&end| inside[end..].starts_with(')'));
        let is_number = |text: &&str| text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        if let Some(number) = end.map(|end| &inside[end + 1..]).filter(is_number) {
            without.push_str(&rest[..start]);
            rest = number;
        } else {
            without.push_str(&rest[..=start]);
            rest = inside;
        }
    }
    without + rest
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn spellings_of_one_type_are_equal() {
        for (symbol, debug) in [
            ("Node<unsigned long, 16ul>", "Node<long unsigned int, 16>"),
            ("Map<std::vector<int> >", "Map<std::vector<int>>"),
            ("Pair<long, short>", "Pair<long int, short int>"),
            ("Sized<8u, -1l>", "Sized<8, -1>"),
            ("Lines<(unsigned long)3>", "Lines<3>"),
            ("Counted<T, (ns::Policy)2>", "Counted<T, (ns::Policy)2>"),
        ] {
            assert_eq!(plain(symbol), plain(debug));
        }
    }

    #[test]
    fn other_types_differ() {
        assert_ne!(plain("Node2l"), plain("Node2"));
        assert_ne!(plain("Node<long>"), plain("Node<int>"));
        assert_ne!(plain("Node<16ul>"), plain("Node<8ul>"));
        assert_ne!(plain("Call<void (int)>"), plain("Call<void ()>"));
        assert_ne!(plain("(anonymous namespace)::Node"), plain("Node"));
    }
}
