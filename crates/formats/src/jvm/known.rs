//! Classes whose objects are more than their fields: those of the JDK by the table here, those of other libraries by
//! [`Containers`].

use deadweight_heap::{Kind, TableKind};
use rustc_hash::FxHashMap;

use super::others::{Containers, Growth};

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
    /// A chain of nodes in order, with rows of an index above it.
    Skips(TableKind),
    /// A set around a map.
    Wrapper,
    /// A table whose keys and values stand in an array each.
    Open(TableKind),
    /// A list whose elements stand in arrays of arrays.
    Nested,
    /// A list around an array.
    List(List),
    /// A list of nodes.
    Chain,
    /// A piece of a container.
    Node,
    /// What a map makes when someone asks for its keys, values or entries, and keeps: it holds the map.
    View,
    /// A window on an array of numbers. It shows as many elements as its capacity says.
    Window,
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
            Self::Hash(_)
            | Self::Tree
            | Self::Skips(_)
            | Self::Wrapper
            | Self::Open(_)
            | Self::List(List::Pairs | List::Keys) => Kind::Table,
            Self::List(_) | Self::Chain | Self::Nested | Self::Builder => Kind::Array,
            Self::Boxed => Kind::Number,
            Self::Date | Self::Instant => Kind::Date,
            Self::Window => Kind::Buffer,
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
    /// Of another library.
    Other(TableKind),
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
struct OfJdk {
    class: &'static str,
    role: Role,
    fields: &'static [&'static str],
    /// Fields that lead to what others lead to as well.
    links: &'static [&'static str],
}

/// The same of any library.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) class: String,
    pub(super) role: Role,
    /// Their names; empty where a role needs one that the class lacks.
    pub(super) fields: Vec<String>,
    pub(super) links: Vec<String>,
    /// How many arrays stand around the elements of each field of a list of arrays.
    pub(super) depths: Vec<u8>,
    /// The class of the nodes of a table of another library.
    pub(super) node: Option<String>,
    /// How such a table grows.
    pub(super) growth: Option<Growth>,
    /// Whether the class is another library's, whose fields may have other names in another version.
    pub(super) is_foreign: bool,
}

/// All that is known of the classes of one file.
#[derive(Debug)]
pub(super) struct KnownClasses {
    all: Vec<Known>,
    by_class: FxHashMap<String, u16>,
}

impl KnownClasses {
    /// What is known of these classes.
    pub(super) fn of<'c>(classes: impl Iterator<Item = &'c str>, containers: &Containers) -> Self {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let jdk = KNOWN.iter().map(|known| Known {
            class: known.class.to_owned(),
            role: known.role,
            fields: owned(known.fields),
            links: owned(known.links),
            depths: Vec::new(),
            node: None,
            growth: None,
            is_foreign: false,
        });
        let mut known = Self {
            all: jdk.collect(),
            by_class: FxHashMap::default(),
        };
        for (number, of) in (0..).zip(&known.all) {
            known.by_class.insert(of.class.clone(), number);
        }
        for class in classes {
            if !known.by_class.contains_key(class)
                && let Some(of) = containers.known(class).or_else(|| view_of(class, containers))
                && let Ok(number) = u16::try_from(known.all.len())
            {
                known.by_class.insert(class.to_owned(), number);
                known.all.push(of);
            }
        }
        known
    }

    /// The number of a class of that name.
    pub(super) fn find(&self, class: &str) -> Option<u16> {
        self.by_class.get(class).copied()
    }

    pub(super) fn get(&self, number: u16) -> &Known {
        &self.all[usize::from(number)]
    }

    pub(super) fn all(&self) -> &[Known] {
        &self.all
    }
}

/// An inner class of a container of another library: a view of its keys, its values or its entries.
fn view_of(class: &str, containers: &Containers) -> Option<Known> {
    const OUTER: &str = "this$0";
    let (outer, _) = class.rsplit_once('$')?;
    let of = containers.known(outer)?;
    Some(Known {
        class: class.to_owned(),
        role: Role::View,
        fields: vec![OUTER.to_owned()],
        links: vec![OUTER.to_owned()],
        depths: Vec::new(),
        node: None,
        growth: None,
        ..of
    })
}

const fn known(class: &'static str, role: Role, fields: &'static [&'static str]) -> OfJdk {
    OfJdk {
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
) -> OfJdk {
    OfJdk {
        class,
        role,
        fields,
        links,
    }
}

/// A view with the field that leads back to its map.
const fn view(class: &'static str, map: &'static [&'static str]) -> OfJdk {
    linked(class, Role::View, map, map)
}

const VALUE: &[&str] = &["value"];

/// A window's array, and the number of elements of it that can be seen: from its offset on.
const WINDOW: &[&str] = &["hb", "capacity"];

static KNOWN: [OfJdk; 73] = [
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
    view("java.util.concurrent.ConcurrentSkipListMap$KeySet", &["m"]),
    view("java.util.concurrent.ConcurrentSkipListMap$Values", &["m"]),
    view("java.util.concurrent.ConcurrentSkipListMap$EntrySet", &["m"]),
    known("java.nio.HeapByteBuffer", Role::Window, WINDOW),
    known("java.nio.HeapCharBuffer", Role::Window, WINDOW),
    known("java.nio.HeapDoubleBuffer", Role::Window, WINDOW),
    known("java.nio.HeapFloatBuffer", Role::Window, WINDOW),
    known("java.nio.HeapIntBuffer", Role::Window, WINDOW),
    known("java.nio.HeapLongBuffer", Role::Window, WINDOW),
    known("java.nio.HeapShortBuffer", Role::Window, WINDOW),
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
