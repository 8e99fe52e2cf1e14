//! What is allocated, by the names of the functions that pass an allocation on: the arguments of their templates.

#[cfg(test)]
mod tests;

/// What one function on the way to the allocator shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passing {
    /// It allocates objects or elements of a type.
    Type(Allocated),
    /// It hands on what is asked for: its caller may show it.
    On,
    /// It allocates a node of a library's container.
    Node(Allocated),
    /// It allocates something for itself.
    Nothing,
}

impl Passing {
    /// Whether it allocates a node of a library's container.
    pub fn is_node(&self) -> bool {
        matches!(self, Self::Node(_))
    }
}

/// What is allocated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Allocated {
    /// The type as a person would name it.
    pub name: String,
    /// The type of the whole block, with the links or counts around what is named, where a block is one object of it: a
    /// node or what has one owner, and no buffer.
    pub whole: Option<String>,
    /// The type of one value, where a block is an array of them.
    pub elements: Option<String>,
}

impl Allocated {
    /// Whether a block is a container of the library, and no node around one.
    pub fn is_container(&self) -> bool {
        self.whole.as_deref().and_then(container).is_some()
    }
}

/// How the name of a type begins that is a container of the library.
pub fn container(name: &str) -> Option<&'static str> {
    CONTAINERS.into_iter().find(|start| name.starts_with(start))
}

/// C++ functions that allocate what their first argument says.
const CPP: [&str; 11] = [
    "std::__new_allocator<",
    "std::allocator<",
    "std::__1::allocator<",
    "__gnu_cxx::new_allocator<",
    "__gnu_cxx::__alloc_traits<std::allocator<",
    "std::allocator_traits<std::allocator<",
    "std::__1::allocator_traits<std::__1::allocator<",
    "std::__allocate_guarded<std::allocator<",
    "std::make_unique<",
    "std::__1::make_unique<",
    "std::make_unique_for_overwrite<",
];

/// Rust's owners of blocks, in names that include their arguments.
const RUST: [&str; 8] = [
    "alloc::boxed::Box<",
    "alloc::vec::Vec<",
    "alloc::raw_vec::RawVec<",
    "alloc::collections::vec_deque::VecDeque<",
    "alloc::sync::Arc<",
    "alloc::rc::Rc<",
    "hashbrown::raw::RawTable<",
    "hashbrown::map::HashMap<",
];

/// Those of them that own arrays of their argument.
const ARRAYS_OF_RUST: [&str; 3] = [
    "<alloc::vec::Vec<",
    "<alloc::raw_vec::RawVec<",
    "<alloc::collections::vec_deque::VecDeque<",
];

/// What stands around what a person would name.
const AROUND: [&str; 10] = [
    "std::_Sp_counted_ptr_inplace<",
    "std::__1::__shared_ptr_emplace<",
    "std::_Rb_tree_node<",
    "std::_List_node<",
    "std::_Fwd_list_node<",
    "std::__detail::_Hash_node<",
    "alloc::sync::ArcInner<",
    "alloc::rc::RcInner<",
    "alloc::rc::RcBox<",
    "core::mem::maybe_uninit::MaybeUninit<",
];

/// Functions that allocate one object, whatever its type.
const ONE: [&str; 3] = [
    "std::make_unique<",
    "std::__1::make_unique<",
    "<alloc::boxed::Box<",
];

/// Bytes, which say nothing of what they are for.
const BYTES: [&str; 6] = ["char", "unsigned char", "signed char", "std::byte", "u8", "i8"];

/// Rust's and C++'s functions between an owner and the allocator.
const ON: [&str; 10] = [
    "operator new",
    "alloc::alloc::",
    "<alloc::alloc::",
    "<alloc::raw_vec::RawVecInner",
    "alloc::raw_vec::RawVecInner",
    "alloc::raw_vec::finish_grow",
    "alloc::boxed::box_new_uninit",
    "alloc::alloc::exchange_malloc",
    "__rust",
    "__rdl_",
];

/// Containers with nodes of room for several values, and how the functions begin that make such nodes.
const NODES: [(&str, [&str; 3]); 1] = [(
    "BTreeMap",
    [
        "alloc::collections::btree::node::",
        "<alloc::collections::btree::node::",
        "<alloc::boxed::Box<alloc::collections::btree::node::",
    ],
)];

/// How containers of libstdc++ begin that stand in a block of their own: their fields are the library's.
const CONTAINERS: [&str; 10] = [
    "std::map<",
    "std::multimap<",
    "std::set<",
    "std::multiset<",
    "std::unordered_",
    "std::vector<",
    "std::deque<",
    "std::list<",
    "std::__cxx11::list<",
    "std::__cxx11::basic_string<",
];

/// The container of whose nodes a function makes one. Their size is the library's.
fn node_of(function: &str) -> Option<&'static str> {
    let makes = |starts: &[&str]| starts.iter().any(|start| function.starts_with(start));
    NODES
        .iter()
        .find(|(_, starts)| makes(starts))
        .map(|(container, _)| *container)
}

/// What a deque of libstdc++ allocates: chunks of a fixed size, however few values it has, and a map of their addresses.
fn chunk_of_deque(function: &str) -> Option<Allocated> {
    let rest = function.strip_prefix("std::_Deque_base<")?;
    let value = argument(rest)?;
    let (of, elements) = if function.ends_with("_M_allocate_map") {
        ("map", format!("{value}*"))
    } else {
        ("chunk", value.to_owned())
    };
    Some(Allocated {
        name: format!("{of} of std::deque<{}>", plain(value)),
        whole: None,
        elements: Some(elements),
    })
}

/// What a function on the way to the allocator shows, by its demangled name.
pub fn passing(function: &str) -> Passing {
    if let Some(container) = node_of(function) {
        return Passing::Node(Allocated {
            name: format!("node of {container}"),
            whole: None,
            elements: None,
        });
    }
    if let Some(chunk) = chunk_of_deque(function) {
        return Passing::Node(chunk);
    }
    let cpp = CPP.iter().find_map(|start| function.strip_prefix(start));
    let rust = function.strip_prefix('<').and_then(|name| {
        let known = RUST.iter().find_map(|start| name.strip_prefix(start));
        // Older names of Rust have the parameter's own name there.
        known.filter(|rest| argument(rest).is_some_and(|argument| argument.len() > 1))
    });
    if let Some(argument) = cpp.or(rust).and_then(argument) {
        let inner = inside(argument);
        if BYTES.contains(&inner) {
            return Passing::Nothing;
        }
        let is_one = inner.len() < argument.len() || ONE.iter().any(|start| function.starts_with(start));
        let is_many =
            ["[]", "[", "dyn ", "str"].map(|mark| argument.ends_with(mark) || argument.starts_with(mark));
        let whole = (is_one && !is_many.contains(&true)).then(|| argument.to_owned());
        let is_array = cpp.is_some() || ARRAYS_OF_RUST.iter().any(|start| function.starts_with(start));
        let elements = argument.trim_end_matches("[]").trim_end();
        return Passing::Type(Allocated {
            name: plain(inner),
            elements: (is_array && whole.is_none()).then(|| elements.to_owned()),
            whole,
        });
    }
    if ON.iter().any(|start| function.starts_with(start)) {
        Passing::On
    } else {
        Passing::Nothing
    }
}

/// The first of several arguments, up to the comma or bracket that ends it.
fn argument(arguments: &str) -> Option<&str> {
    let mut depth = 0_u32;
    let end = arguments.find(|c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            '>' | ',' => return depth == 0,
            _ => {}
        }
        false
    })?;
    let first = arguments[..end].trim();
    (!first.is_empty()).then_some(first)
}

/// Without the counts of references and the nodes of containers around it.
fn inside(name: &str) -> &str {
    let around = AROUND.iter().find_map(|start| name.strip_prefix(start));
    around
        .and_then(argument)
        .map_or(name, inside)
        .trim_end_matches("[]")
}

/// As the source has it: arguments that nobody writes left out.
fn plain(name: &str) -> String {
    let mut name = name
        .replace(
            "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
            "std::string",
        )
        .replace("> >", ">>")
        .replace("> >", ">>");
    while let Some(start) = name.find(", std::allocator<") {
        let rest = &name[start + ", std::allocator<".len()..];
        let Some(bytes) = argument(rest).map(str::len) else {
            break;
        };
        let end = name.len() - rest.len() + bytes;
        let after = name[end..].find('>').map_or(name.len(), |at| end + at + 1);
        name.replace_range(start..after, "");
    }
    name
}
