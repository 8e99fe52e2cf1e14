//! Classes of the library whose objects are more than their fields.

use deadweight_heap::Kind;

/// What an object is, by its class or the nearest one that it extends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Record,
    String,
    Builder,
    Boxed,
    Date,
    Instant,
    /// A table of chains of nodes.
    Hash(Hash),
    /// A tree of entries.
    Tree,
    /// A set around a map.
    Wrapper,
    /// A list around an array.
    List(List),
    /// A list of nodes.
    Chain,
    /// A piece of a container.
    Node,
    /// What a map makes when someone asks for its keys, values or entries, and keeps: it holds the map.
    View,
    /// A reference that the collector looks at.
    Weak,
    Soft,
    Final,
    Thread,
    /// What can be thrown: the machine notes in arrays of its own where it was made.
    Throwable,
}

impl Role {
    /// What the instances of a class are to the model, where they are no pieces.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::String => Kind::String,
            Self::Hash(_) | Self::Tree | Self::Wrapper | Self::List(List::Pairs | List::Keys) => Kind::Table,
            Self::List(_) | Self::Chain | Self::Builder => Kind::Array,
            Self::Boxed => Kind::Number,
            Self::Date | Self::Instant => Kind::Date,
            Self::Record
            | Self::Node
            | Self::View
            | Self::Weak
            | Self::Soft
            | Self::Final
            | Self::Thread
            | Self::Throwable => Kind::Record,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Plain,
    Linked,
    Concurrent,
    Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Counted,
    /// From head to tail, around the end.
    Ring,
    /// As long as its array.
    Full,
    /// The same, with an object that is locked while the array is copied.
    Copied,
    /// An array of keys and values in turn, and one of keys.
    Pairs,
    Keys,
}

/// A class, what its objects are, and the fields that say it: for a hash table and a list its store and its count, for a
/// node key, value and the next one.
pub(super) struct Known {
    pub(super) class: &'static str,
    pub(super) role: Role,
    pub(super) fields: &'static [&'static str],
    /// Fields that lead to what others lead to as well.
    pub(super) links: &'static [&'static str],
}

const fn known(class: &'static str, role: Role, fields: &'static [&'static str]) -> Known {
    Known {
        class,
        role,
        fields,
        links: &[],
    }
}

const fn linked(
    class: &'static str,
    role: Role,
    fields: &'static [&'static str],
    links: &'static [&'static str],
) -> Known {
    Known {
        class,
        role,
        fields,
        links,
    }
}

/// A view with the field that leads back to its map.
const fn view(class: &'static str, map: &'static [&'static str]) -> Known {
    linked(class, Role::View, map, map)
}

/// The number of the first of [`KNOWN`] with that class.
pub(super) fn find(class: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.class == class)
}

const VALUE: &[&str] = &["value"];

pub(super) static KNOWN: [Known; 63] = [
    known("java.lang.String", Role::String, &["value", "coder"]),
    known(
        "java.lang.StringBuilder",
        Role::Builder,
        &["value", "count", "coder"],
    ),
    known(
        "java.lang.StringBuffer",
        Role::Builder,
        &["value", "count", "coder"],
    ),
    known("java.lang.Integer", Role::Boxed, VALUE),
    known("java.lang.Long", Role::Boxed, VALUE),
    known("java.lang.Short", Role::Boxed, VALUE),
    known("java.lang.Byte", Role::Boxed, VALUE),
    known("java.lang.Double", Role::Boxed, VALUE),
    known("java.lang.Float", Role::Boxed, VALUE),
    known("java.util.Date", Role::Date, &["fastTime"]),
    known("java.time.Instant", Role::Instant, &["seconds", "nanos"]),
    known(
        "java.util.HashMap",
        Role::Hash(Hash::Plain),
        &["table", "size", "keySet", "values", "entrySet"],
    ),
    linked(
        "java.util.LinkedHashMap",
        Role::Hash(Hash::Linked),
        &["table", "size", "keySet", "values", "entrySet"],
        &["head", "tail"],
    ),
    known(
        "java.util.concurrent.ConcurrentHashMap",
        Role::Hash(Hash::Concurrent),
        &["table", "", "keySet", "values", "entrySet"],
    ),
    known(
        "java.util.Hashtable",
        Role::Hash(Hash::Table),
        &["table", "count"],
    ),
    known(
        "java.util.TreeMap",
        Role::Tree,
        &["root", "size", "navigableKeySet", "values", "entrySet"],
    ),
    known("java.util.HashSet", Role::Wrapper, &["map"]),
    known("java.util.TreeSet", Role::Wrapper, &["m"]),
    known(
        "java.util.ArrayList",
        Role::List(List::Counted),
        &["elementData", "size"],
    ),
    known(
        "java.util.Vector",
        Role::List(List::Counted),
        &["elementData", "elementCount"],
    ),
    known(
        "java.util.PriorityQueue",
        Role::List(List::Counted),
        &["queue", "size"],
    ),
    known(
        "java.util.ArrayDeque",
        Role::List(List::Ring),
        &["elements", "head", "tail"],
    ),
    known(
        "java.util.concurrent.CopyOnWriteArrayList",
        Role::List(List::Copied),
        &["array", "", "lock"],
    ),
    known("java.util.Arrays$ArrayList", Role::List(List::Full), &["a", ""]),
    known(
        "java.util.ImmutableCollections$ListN",
        Role::List(List::Full),
        &["elements", ""],
    ),
    known(
        "java.util.ImmutableCollections$MapN",
        Role::List(List::Pairs),
        &["table", "size"],
    ),
    known(
        "java.util.ImmutableCollections$SetN",
        Role::List(List::Keys),
        &["elements", "size"],
    ),
    linked("java.util.LinkedList", Role::Chain, &["first", "size"], &["last"]),
    linked(
        "java.util.LinkedList$Node",
        Role::Node,
        &["item", "", "next"],
        &["prev"],
    ),
    known("java.util.HashMap$Node", Role::Node, &["key", "value", "next"]),
    linked(
        "java.util.LinkedHashMap$Entry",
        Role::Node,
        &["key", "value", "next"],
        &["before", "after"],
    ),
    linked(
        "java.util.HashMap$TreeNode",
        Role::Node,
        &["key", "value", "next"],
        &["parent", "left", "right", "prev"],
    ),
    known(
        "java.util.concurrent.ConcurrentHashMap$Node",
        Role::Node,
        &["key", "val", "next"],
    ),
    linked(
        "java.util.concurrent.ConcurrentHashMap$TreeNode",
        Role::Node,
        &["key", "val", "next"],
        &["parent", "left", "right", "prev"],
    ),
    linked(
        "java.util.concurrent.ConcurrentHashMap$TreeBin",
        Role::Node,
        &["", "", "first"],
        &["root"],
    ),
    known("java.util.Hashtable$Entry", Role::Node, &["key", "value", "next"]),
    linked(
        "java.util.TreeMap$Entry",
        Role::Node,
        &["key", "value", "left", "right"],
        &["parent"],
    ),
    linked(
        "java.lang.ref.WeakReference",
        Role::Weak,
        &["referent"],
        &["discovered", "next"],
    ),
    linked(
        "java.lang.ref.PhantomReference",
        Role::Weak,
        &["referent"],
        &["discovered", "next"],
    ),
    linked(
        "java.lang.ref.SoftReference",
        Role::Soft,
        &["referent"],
        &["discovered", "next"],
    ),
    linked(
        "java.lang.ref.FinalReference",
        Role::Final,
        &["referent"],
        &["discovered", "next"],
    ),
    view("java.util.HashMap$KeySet", &["this$0"]),
    view("java.util.HashMap$Values", &["this$0"]),
    view("java.util.HashMap$EntrySet", &["this$0"]),
    view("java.util.LinkedHashMap$LinkedKeySet", &["this$0"]),
    view("java.util.LinkedHashMap$LinkedValues", &["this$0"]),
    view("java.util.LinkedHashMap$LinkedEntrySet", &["this$0"]),
    view("java.util.TreeMap$KeySet", &["m"]),
    view("java.util.TreeMap$Values", &["this$0"]),
    view("java.util.TreeMap$EntrySet", &["this$0"]),
    view("java.util.concurrent.ConcurrentHashMap$KeySetView", &["map"]),
    view("java.util.concurrent.ConcurrentHashMap$ValuesView", &["map"]),
    view("java.util.concurrent.ConcurrentHashMap$EntrySetView", &["map"]),
    known("java.lang.Thread", Role::Thread, &["name"]),
    known("java.lang.Throwable", Role::Throwable, &["backtrace"]),
    // What the library makes of arrays and lists, and no list itself.
    known("java.util.ArrayList$SubList", Role::Record, &[]),
    known("java.util.ImmutableCollections$List12", Role::Record, &[]),
    known("java.util.ImmutableCollections$Map1", Role::Record, &[]),
    known("java.util.ImmutableCollections$Set12", Role::Record, &[]),
    known("java.util.Collections$EmptyList", Role::Record, &[]),
    known("java.util.Collections$EmptyMap", Role::Record, &[]),
    known("java.util.Collections$EmptySet", Role::Record, &[]),
    known("java.lang.Object", Role::Record, &[]),
];
