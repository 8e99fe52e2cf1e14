//! How many bytes values without fields have, by the names of their types in C++ and Rust.

/// The bytes; `None` for a type that is none of these.
pub(super) fn bytes(name: &str) -> Option<u64> {
    let bytes = match name {
        "bool" => 1,
        "short" | "unsigned short" | "char16_t" | "u16" | "i16" => 2,
        "int" | "unsigned int" | "float" | "char32_t" | "wchar_t" | "u32" | "i32" | "f32" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" | "u64" | "i64" | "f64"
        | "usize" | "isize" => 8,
        // A pointer of Rust may have a length or a table beside it, and begins with its star.
        _ if name.ends_with('*') => 8,
        _ => return None,
    };
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn numbers_and_pointers_have_their_sizes() {
        assert_eq!(
            ["int", "unsigned long", "Item*", "char const*", "u16"].map(bytes),
            [Some(4), Some(8), Some(8), Some(8), Some(2)]
        );
        assert_eq!(
            ["Item", "*const [u8]", "std::pair<int, Item*>"].map(bytes),
            [None; 3]
        );
    }
}
