//! Names of methods.
//!
//! Crystal 1.6 gives its symbols the whole name with types (`*Array(String)@Array(T)#push<String>:Array(String)`: where
//! it was called, where it was defined, the method, its arguments, what it returns) and debug information the bare name
//! (`push`, or `new:capacity` with named arguments).

/// Operators that are methods, longer ones first.
const OPERATORS: [&str; 28] = [
    "<=>", "===", "[]=", "[]?", "&**", "[]", "<<", "<=", "**", "==", "=~", "!=", "!~", ">=", ">>", "&+",
    "&-", "&*", "//", "<", ">", "+", "-", "*", "/", "%", "^", "|",
];

/// `Owner#method` or `Owner.method` of a symbol; `None` for what is no method of Crystal.
pub(in crate::churn) fn method(symbol: &str) -> Option<String> {
    let symbol = symbol.strip_prefix('*')?;
    let (owner, separator, rest) = split(symbol);
    let name = name_of(rest)?;
    // Where it was called says more than where it was defined.
    let owner = at_depth_0(owner, '@').map_or(owner, |at| &owner[..at]);
    Some(match owner {
        "" => name.to_owned(),
        _ => format!("{owner}{separator}{name}"),
    })
}

/// The method alone.
pub(in crate::churn) fn last(function: &str) -> &str {
    let from = function.rfind(['#', '.']).map_or(0, |at| at + 1);
    bare(&function[from..])
}

/// A name of debug information without its named arguments.
pub(super) fn bare(name: &str) -> &str {
    name.find(':').filter(|&at| at > 0).map_or(name, |at| &name[..at])
}

/// Owner, what stands for the separator, and the rest from the method's name on.
fn split(symbol: &str) -> (&str, &'static str, &str) {
    if let Some(at) = at_depth_0(symbol, '#') {
        return (&symbol[..at], "#", &symbol[at + 1..]);
    }
    // A class method: the last `::` before its arguments or its result.
    let mut from = 0;
    let mut found = None;
    while let Some(at) = at_depth_0(&symbol[from..], ':').map(|at| from + at) {
        if !symbol[at..].starts_with("::") || at_depth_0(&symbol[from..at], '<').is_some() {
            break;
        }
        found = Some(at);
        from = at + 2;
    }
    match found {
        Some(at) => (&symbol[..at], ".", &symbol[at + 2..]),
        None => ("", "", symbol),
    }
}

/// The first place of a character outside of parentheses.
fn at_depth_0(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if char == wanted && depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

fn name_of(rest: &str) -> Option<&str> {
    if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
        return rest.get(..operator.len());
    }
    let end = rest.find(|char: char| !char.is_alphanumeric() && !"_?!=".contains(char));
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_taken_apart() {
        for (symbol, expected) in [
            ("*work<Int32>:Int32", "work"),
            (
                "*Array(String)@Array(T)#check_needs_resize:(Int32 | Nil)",
                "Array(String)#check_needs_resize",
            ),
            (
                "*Array(Pointer(Bool))@Array(T)#<<<Pointer(Bool)>:Array(Pointer(Bool))",
                "Array(Pointer(Bool))#<<",
            ),
            (
                "*Pointer(Foo::Bar)@Pointer(T)::malloc:Pointer(Foo::Bar)",
                "Pointer(Foo::Bar).malloc",
            ),
            (
                "*Exception::CallStack::read_dwarf_sections<UInt64>:(Array(T) | Nil)",
                "Exception::CallStack.read_dwarf_sections",
            ),
            ("*Client#get:Bytes?", "Client#get"),
            (
                "*Hash(String, Int32)@Hash(K, V)#[]=<String, Int32>:Int32",
                "Hash(String, Int32)#[]=",
            ),
        ] {
            assert_eq!(method(symbol).as_deref(), Some(expected), "{symbol}");
        }
        for other in ["GC_malloc", "_start", "~procProc(Nil)@a.cr:4", "*", "*Foo#", ""] {
            assert_eq!(method(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_part_is_the_method() {
        assert_eq!(
            (last("Client#get"), last("Foo.new:capacity"), last("work")),
            ("get", "new", "work")
        );
    }
}
