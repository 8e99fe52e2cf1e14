//! Names as the source code has them.

use cpp_demangle::{DemangleOptions, Symbol};

use super::allocated::Allocated;

/// A function's name without its parameters; a name that is not mangled stays as it is.
pub fn function(mangled: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(mangled) {
        return format!("{rust:#}");
    }
    let name = cpp(mangled).unwrap_or_else(|| mangled.to_owned());
    // Which of two string classes a function returns is no part of its name in the source.
    name.replace("[abi:cxx11]", "")
}

/// The type whose RTTI name this is; `None` when it is none.
pub fn type_of_block(rtti: &str) -> Option<Allocated> {
    // A type alone is no symbol; as the typeinfo name of it, it is.
    let name = cpp(&format!("_ZTS{rtti}"))?;
    let name = name.strip_prefix("typeinfo name for ").unwrap_or(&name);
    Some(Allocated {
        name: shared(name).to_owned(),
        whole: Some(name.to_owned()),
        elements: None,
    })
}

fn cpp(mangled: &str) -> Option<String> {
    let options = DemangleOptions::new().no_params().no_return_type();
    Symbol::new(mangled).ok()?.demangle_with_options(&options).ok()
}

/// What stands in the block of a `std::make_shared`, whose own type is the count of references.
fn shared(name: &str) -> &str {
    const BLOCKS: [&str; 3] = [
        "std::_Sp_counted_ptr_inplace<",
        "std::__shared_ptr_emplace<",
        "std::__1::__shared_ptr_emplace<",
    ];
    let Some(arguments) = BLOCKS.iter().find_map(|block| name.strip_prefix(block)) else {
        return name;
    };
    let mut depth = 0_u32;
    let end = arguments.find(|c| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ',' => return depth == 0,
            _ => {}
        }
        false
    });
    end.map_or(name, |end| arguments[..end].trim_end())
}

/// Whether a function only passes an allocation on: an allocator, or a standard library's container.
pub fn is_wrapper(function: &str) -> bool {
    const LIBRARIES: [&str; 18] = [
        "std::",
        "__gnu_cxx::",
        "operator new",
        "alloc::",
        "core::",
        "hashbrown::",
        "<alloc::",
        "<core::",
        "<std::",
        "<hashbrown::",
        "__rust",
        "__rdl_",
        "__rg_",
        "raw_vec::",
        // What the demangler does not understand.
        "_ZSt",
        "_ZNSt",
        "_ZNKSt",
        "_ZN9__gnu_cxx",
    ];
    LIBRARIES.iter().any(|start| function.starts_with(start))
        || is_for_built_in(function)
        || is_named_for_malloc(function)
}

/// Whether a function of Rust belongs to a type of the language itself, such as `<[_]>::to_vec`, or is a standard trait's
/// for one: only the standard library can have these.
fn is_for_built_in(function: &str) -> bool {
    const TYPES: [&str; 17] = [
        "str", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64",
    ];
    const TRAITS: [&str; 5] = ["alloc::", "core::", "std::", "<[", "<str>"];
    let is_built_in = |ty: &str| ty.starts_with(['[', '(']) || TYPES.contains(&ty);
    let Some(rest) = function.strip_prefix('<') else {
        return false;
    };
    match (rest.split_once(" as "), rest.split_once(">::")) {
        (Some((ty, of)), own) if own.is_none_or(|(own, _)| ty.len() < own.len()) => {
            let ty = behind_references(ty);
            (is_built_in(ty) || is_of_no_crate(ty)) && TRAITS.iter().any(|start| of.starts_with(start))
        }
        (_, Some((ty, _))) => is_built_in(ty),
        _ => false,
    }
}

/// What a reference or pointer leads to: `&mut T` is `T`.
fn behind_references(ty: &str) -> &str {
    let ty = ty.trim_start_matches(['&', '*']);
    ["mut ", "const "]
        .iter()
        .find_map(|sort| ty.strip_prefix(sort))
        .unwrap_or(ty)
}

/// Whether a type is a parameter's name, or one of the standard library's: no other crate can have the standard traits
/// for all types or for those.
fn is_of_no_crate(ty: &str) -> bool {
    const LIBRARIES: [&str; 4] = ["alloc::", "core::", "std::", "hashbrown::"];
    let is_parameter = ty.len() == 1 && ty.starts_with(|c: char| c.is_ascii_uppercase());
    is_parameter || LIBRARIES.iter().any(|start| ty.starts_with(start))
}

/// Whether a name says that the function is `malloc` under another name: `xmalloc`, `zmalloc_usable`, `zcalloc_num`. What
/// follows the name begins with an underscore, so that `MallocStats` is none.
fn is_named_for_malloc(function: &str) -> bool {
    const NAMES: [&str; 4] = ["malloc", "calloc", "realloc", "strdup"];
    let name = function
        .rsplit("::")
        .next()
        .unwrap_or(function)
        .to_ascii_lowercase();
    NAMES.iter().any(|known| {
        let rest = name.split_once(known).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_lose_their_parameters() {
        assert_eq!(
            function("_ZN6shamap3MapIiE6insertEil"),
            "shamap::Map<int>::insert"
        );
        assert_eq!(function("main"), "main");
        assert_eq!(function("_Z6repeatB5cxx11i"), "repeat");
        assert_eq!(function("_RNvC1a4main"), "a::main");
    }

    #[test]
    fn types_are_what_a_shared_pointer_holds() {
        let type_name = |rtti| type_of_block(rtti).map(|ty| ty.name);
        assert_eq!(type_name("4Node").as_deref(), Some("Node"));
        let inplace = "St23_Sp_counted_ptr_inplaceISt4pairIi4NodeESaIvELN9__gnu_cxx12_Lock_policyE2EE";
        assert_eq!(type_name(inplace).as_deref(), Some("std::pair<int, Node>"));
        assert_eq!(type_name("hello world"), None);
    }

    #[test]
    fn wrappers_are_passed_over() {
        for name in [
            "std::vector<int>::push_back",
            "operator new",
            "xmalloc",
            "zmalloc_usable",
            "zcalloc_num",
            "zrealloc_usable",
            "_ZSt11make_sharedIXE",
            "alloc::raw_vec::finish_grow",
            "<u8 as <[_]>::to_vec_in::ConvertVec>::to_vec::<alloc::alloc::Global>",
            "<[alloc::string::String]>::concat::<str>",
            "<str as alloc::borrow::ToOwned>::to_owned",
            "<&A as core::alloc::Allocator>::allocate",
            "<T as alloc::slice::<impl [T]>::to_vec_in::ConvertVec>::to_vec",
            "<&mut alloc::string::String as core::fmt::Write::write_fmt::SpecWriteFmt>::spec_write_fmt",
        ] {
            assert!(is_wrapper(name), "{name}");
        }
        for name in [
            "main",
            "Tree::insert",
            "allocate_node",
            "MallocStats",
            "malloced",
            "<program::Tree as core::clone::Clone>::clone",
            "<u8 as program::Parse>::parse",
            "<program::Tree>::insert",
            "<&program::Tree as core::clone::Clone>::clone",
            "<T as program::Parse>::parse",
        ] {
            assert!(!is_wrapper(name), "{name}");
        }
    }
}
