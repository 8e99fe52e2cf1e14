//! Containers of libraries other than the JDK's: which class is one, and which of its fields have its elements. The tables
//! are TOML. `containers.toml` beside this file has those that are shipped; a program's own stand in `deadweight.toml`.

use deadweight_heap::TableKind;
use serde::Deserialize;
use wildmatch::WildMatch;

use super::classes::SLOTS;
use super::known::{Hash, Known, List, Role};

/// What is shipped.
const SHIPPED: &str = include_str!("containers.toml");

/// Classes whose objects are containers, or stand for one. Names of classes may have `*` for any characters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Containers {
    list: Vec<OfList>,
    map: Vec<OfTable>,
    set: Vec<OfTable>,
    chain: Vec<OfChain>,
    nested: Vec<OfNested>,
    around: Vec<Around>,
}

/// Why tables of containers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContainersError {
    /// It is no TOML, or has other fields.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// A table without the fields that say where its entries are.
    #[error(
        "the table of {class}: expected `store` with `node`, `first` with `index` and `node`, `keys` (with `values` for a map), or `pairs` for a map"
    )]
    Incomplete {
        /// The class.
        class: String,
    },
}

/// A list around an array.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfList {
    class: String,
    /// The field with the array: of references or of numbers.
    store: String,
    /// The field with the number of elements; without it the array is full.
    count: Option<String>,
}

/// A map or a set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTable {
    class: String,
    /// The field with the number of entries; without it the array of keys is full.
    count: Option<String>,
    /// An array of chains of nodes.
    store: Option<String>,
    node: Option<Node>,
    /// The field with the highest row of an index, whose beginning leads to the first node: a list with shortcuts.
    first: Option<String>,
    index: Option<Index>,
    /// An array of keys, and one of values in the same order.
    keys: Option<String>,
    values: Option<String>,
    /// An array of keys and values in turn.
    pairs: Option<String>,
    /// Further arrays that a table of `keys` has for itself, of hashes or of states.
    #[serde(default)]
    beside: Vec<String>,
    /// Fields that lead to nodes that the chains have.
    #[serde(default)]
    links: Vec<String>,
    grows: Option<Growth>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    class: String,
    /// Left out where the node does not keep its key alive.
    key: Option<String>,
    value: Option<String>,
    next: Option<String>,
    /// Fields that lead to other nodes of the table.
    #[serde(default)]
    links: Vec<String>,
}

/// What the rows of an index are made of.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    class: String,
    /// The node to which the shortcut leads.
    node: String,
    /// The next one of the row, and the one beneath.
    right: String,
    down: String,
}

/// How large the arrays of a table are that was filled entry by entry: room for a power of two of entries, doubled as the
/// table gets full.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// The least room.
    first: u64,
    /// The share of the room at which the table is full.
    load: f64,
    /// Whether a table that has become full grows at once, and not with the next entry.
    #[serde(default)]
    at_once: bool,
    /// Slots of an array beyond the room.
    #[serde(default)]
    spare: u64,
}

impl Growth {
    /// Slots of each array for so many entries.
    pub(super) fn slots(self, entries: u64) -> u64 {
        let mut room = self.first.max(1);
        let is_above = |room: u64| {
            let full = (room as f64 * self.load) as u64;
            entries > full || self.at_once && entries == full
        };
        while is_above(room) && room < 1 << 40 {
            room *= 2;
        }
        room + self.spare
    }

    /// Entries that fit in an array of so many slots.
    pub(super) fn entries(self, slots: u32) -> u32 {
        let room = u64::from(slots).saturating_sub(self.spare);
        (room as f64 * self.load) as u32
    }
}

/// A list of nodes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfChain {
    class: String,
    /// The field with the first node. One without an element is none of the list's elements.
    first: String,
    node: Link,
    /// Fields that lead to nodes which the first one leads to as well.
    #[serde(default)]
    links: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    class: String,
    item: String,
    next: String,
    /// Fields that lead to other nodes of the list.
    #[serde(default)]
    links: Vec<String>,
}

/// A list whose elements stand in arrays of arrays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNested {
    class: String,
    /// The fields with the arrays, in the order of the elements, and how many arrays stand around an element of each.
    arrays: Vec<(String, u8)>,
}

/// A class, and its field that refers to what its instances stand for: the holder of an instance is the holder of that.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Around {
    class: String,
    field: String,
    /// As what it has it: the thing itself where nothing is said.
    #[serde(default)]
    r#as: As,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum As {
    #[default]
    Whole,
    Element,
    Key,
    Value,
}

impl From<As> for deadweight_heap::Around {
    fn from(of: As) -> Self {
        match of {
            As::Whole => Self::Whole,
            As::Element => Self::Element,
            As::Key => Self::Key,
            As::Value => Self::Value,
        }
    }
}

/// What `deadweight.toml` says of programs of the JVM.
#[derive(Default, Deserialize)]
struct File {
    #[serde(default)]
    jvm: Containers,
}

impl Containers {
    /// Those that are shipped.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a test reads what is shipped")]
    pub fn shipped() -> Self {
        toml::from_str(SHIPPED).expect("what is shipped can be read")
    }

    /// Those that a configuration lists under `jvm`, before the shipped ones.
    ///
    /// # Errors
    /// When it is no TOML, has a field that no container has, or lacks one that it needs.
    pub fn of_config(text: &str) -> Result<Self, ContainersError> {
        let File { jvm: mut own } = toml::from_str(text)?;
        let mut tables = own.map.iter().chain(&own.set);
        if let Some(of) = tables.find(|of| of.role(TableKind::Map).is_none()) {
            return Err(ContainersError::Incomplete {
                class: of.class.clone(),
            });
        }
        let shipped = Self::shipped();
        own.list.extend(shipped.list);
        own.map.extend(shipped.map);
        own.set.extend(shipped.set);
        own.chain.extend(shipped.chain);
        own.nested.extend(shipped.nested);
        own.around.extend(shipped.around);
        Ok(own)
    }

    /// What is known of a class of that name.
    pub(super) fn known(&self, class: &str) -> Option<Known> {
        let is = |pattern: &str| WildMatch::new(pattern).matches(class);
        let known = |role, fields: &[Option<&String>], growth| Known {
            class: class.to_owned(),
            role,
            fields: fields
                .iter()
                .map(|name| name.cloned().unwrap_or_default())
                .collect(),
            links: Vec::new(),
            depths: Vec::new(),
            node: None,
            growth,
            is_foreign: true,
        };
        if let Some(of) = self.list.iter().find(|of| is(&of.class)) {
            let list = if of.count.is_some() {
                List::Counted
            } else {
                List::Full
            };
            return Some(known(
                Role::List(list),
                &[Some(&of.store), of.count.as_ref()],
                None,
            ));
        }
        if let Some(of) = self.nested.iter().find(|of| is(&of.class)) {
            let fields = of.arrays.iter().map(|(field, _)| Some(field));
            let fields: Vec<Option<&String>> = fields.take(SLOTS).collect();
            return Some(Known {
                depths: of.arrays.iter().map(|(_, depth)| *depth).collect(),
                ..known(Role::Nested, &fields, None)
            });
        }
        if let Some(of) = self.chain.iter().find(|of| is(&of.class)) {
            return Some(Known {
                links: of.links.clone(),
                ..known(Role::Chain, &[Some(&of.first)], None)
            });
        }
        if let Some(of) = self.chain.iter().map(|of| &of.node).find(|node| is(&node.class)) {
            return Some(Known {
                links: of.links.clone(),
                ..known(Role::Node, &[Some(&of.item), None, Some(&of.next)], None)
            });
        }
        let tables = [(&self.map, TableKind::Map), (&self.set, TableKind::Set)];
        tables.into_iter().find_map(|(tables, kind)| {
            let of_node = |of: &OfTable| {
                let node = of.node.as_ref().filter(|node| is(&node.class))?;
                let fields = [node.key.as_ref(), node.value.as_ref(), node.next.as_ref()];
                Some(Known {
                    links: node.links.clone(),
                    ..known(Role::Node, &fields, None)
                })
            };
            let of_index = |of: &OfTable| {
                let index = of.index.as_ref().filter(|index| is(&index.class))?;
                let fields = [Some(&index.node), None, Some(&index.right), Some(&index.down)];
                Some(Known {
                    links: vec![index.node.clone(), index.down.clone()],
                    ..known(Role::Node, &fields, None)
                })
            };
            if let Some(piece) = tables.iter().find_map(|of| of_node(of).or_else(|| of_index(of))) {
                return Some(piece);
            }
            let of = tables.iter().find(|of| is(&of.class))?;
            let (role, first) = of.role(kind)?;
            let fields = [Some(first), of.count.as_ref(), of.values.as_ref()];
            let beside = of.beside.iter().map(Some);
            let fields: Vec<Option<&String>> = fields.into_iter().chain(beside).take(SLOTS).collect();
            Some(Known {
                links: of.links.clone(),
                node: of.node.as_ref().map(|node| node.class.clone()),
                ..known(role, &fields, of.grows)
            })
        })
    }

    /// As what instances of a class have what this field refers to, where they stand for it.
    pub(super) fn around(&self, class: &str, field: &str) -> Option<deadweight_heap::Around> {
        let mut around = self.around.iter();
        let of = around.find(|of| of.field == field && WildMatch::new(&of.class).matches(class))?;
        Some(of.r#as.into())
    }
}

impl OfTable {
    /// What a table is, and the field with its entries.
    fn role(&self, kind: TableKind) -> Option<(Role, &String)> {
        if let (Some(store), Some(_)) = (&self.store, &self.node) {
            return Some((Role::Hash(Hash::Other(kind)), store));
        }
        if let (Some(first), Some(_), Some(_)) = (&self.first, &self.index, &self.node) {
            return Some((Role::Skips(kind), first));
        }
        if let Some(pairs) = &self.pairs {
            return Some((Role::List(List::Pairs), pairs));
        }
        let keys = self.keys.as_ref()?;
        Some(match kind {
            TableKind::Set if self.beside.is_empty() => (Role::List(List::Keys), keys),
            _ => (Role::Open(kind), keys),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_is_read() {
        let shipped = Containers::shipped();
        let tables = [(&shipped.map, TableKind::Map), (&shipped.set, TableKind::Set)];
        for (tables, kind) in tables {
            assert!(!tables.is_empty() && tables.iter().all(|of| of.role(kind).is_some()));
        }
        let buffer = shipped.known("scala.collection.mutable.ArrayBuffer").unwrap();
        assert_eq!((buffer.role, buffer.fields.len()), (Role::List(List::Counted), 2));
        assert!(shipped.known("scala.collection.mutable.ArrayBuffered").is_none());
        let around = |class, field| shipped.around(class, field);
        assert_eq!(
            around("java.util.Optional", "value"),
            Some(deadweight_heap::Around::Whole)
        );
        let entry = "java.util.KeyValueHolder";
        assert_eq!(around(entry, "key"), Some(deadweight_heap::Around::Key));
        assert_eq!(around(entry, "hash"), None);
    }

    #[test]
    fn a_configuration_adds_containers_and_says_what_is_wrong_with_one() {
        let own = Containers::of_config(
            "[[jvm.list]]\nclass = \"shop.*List\"\nstore = \"items\"\ncount = \"size\"\n[budget]\nheld = \"1 MB\"\n",
        );
        let own = own.unwrap();
        assert_eq!(own.known("shop.IntList").unwrap().fields, ["items", "size"]);
        assert!(own.known("scala.collection.mutable.ArrayBuffer").is_some());
        let without = Containers::of_config("[[jvm.map]]\nclass = \"shop.Map\"\ncount = \"size\"\n");
        assert!(
            without
                .unwrap_err()
                .to_string()
                .contains("the table of shop.Map: expected `store`")
        );
        let unknown = Containers::of_config("[[jvm.list]]\nclass = \"shop.L\"\nstroe = \"items\"\n");
        assert!(unknown.unwrap_err().to_string().contains("stroe"));
    }

    #[test]
    fn a_table_grows_when_it_is_full_or_with_the_next_entry() {
        let growth = |at_once, spare| Growth {
            first: 16,
            load: 0.75,
            at_once,
            spare,
        };
        let later = [0, 12, 13, 24, 25].map(|entries| growth(false, 1).slots(entries));
        assert_eq!(later, [17, 17, 33, 33, 65]);
        let at_once = [0, 11, 12, 23, 24].map(|entries| growth(true, 0).slots(entries));
        assert_eq!(at_once, [16, 16, 32, 32, 64]);
        assert_eq!(growth(false, 1).entries(33), 24);
    }
}
