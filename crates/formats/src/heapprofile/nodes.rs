//! The tree of a profile, flattened while it is read: nesting in a file is data, not trust.

use std::fmt;
use std::thread;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::Malformed;

/// V8 records at most 128 frames; a deeper tree was not written by it.
const DEEPEST: usize = 512;

/// Room on the stack for the deepest tree, in bytes.
const STACK_BYTES: usize = 64 << 20;

/// Where a function begins.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CallFrame {
    pub function_name: String,
    /// `0` where there is none: in functions of the engine.
    pub script_id: String,
    pub url: String,
    /// From 0; −1 when there is none.
    pub line_number: i64,
    /// From 0; −1 when there is none.
    pub column_number: i64,
}

/// One node of the tree.
#[derive(Debug)]
pub(super) struct Node {
    /// The index of the caller.
    pub parent: Option<usize>,
    pub frame: CallFrame,
    pub id: u64,
    /// Bytes made by the function itself, scaled up by V8.
    pub self_size: u64,
}

/// One sample: the size that V8 counts for it, and the node it belongs to.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sample {
    pub size: u64,
    pub node_id: u64,
}

#[derive(Debug, Default)]
pub(super) struct Profile {
    pub nodes: Vec<Node>,
    pub samples: Vec<Sample>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Profile, Malformed> {
    // The tree nests as deep as the program called, which is deeper than serde_json likes on a small stack.
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || parse(bytes));
        match worker {
            Ok(worker) => worker
                .join()
                .unwrap_or_else(|_| Err(Malformed::new(0, "a heap profile", "one that cannot be read"))),
            Err(error) => Err(Malformed::new(
                0,
                "room for a thread that reads",
                error.to_string(),
            )),
        }
    })
}

fn parse(bytes: &[u8]) -> Result<Profile, Malformed> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    // The depth is bounded by `DEEPEST` instead.
    json.disable_recursion_limit();
    let mut profile = Profile::default();
    let read = ProfileSeed(&mut profile)
        .deserialize(&mut json)
        .and_then(|()| json.end());
    match read {
        Ok(()) => Ok(profile),
        Err(error) => {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
            let offset = (before + error.column().saturating_sub(1)).min(bytes.len());
            let whole = error.to_string();
            let found = whole.split(" at line ").next().unwrap_or_default().to_owned();
            Err(Malformed::new(offset, "a V8 heap profile", found))
        }
    }
}

struct ProfileSeed<'p>(&'p mut Profile);

impl<'de> DeserializeSeed<'de> for ProfileSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ProfileSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a profile with \"head\" and \"samples\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_head = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "head" if !has_head => {
                    has_head = true;
                    map.next_value_seed(NodeSeed {
                        profile: &mut *self.0,
                        parent: None,
                        depth: 0,
                    })?;
                }
                "samples" => self.0.samples = map.next_value()?,
                _ => {
                    // What is not known may nest too.
                    map.next_value_seed(Skip(0))?;
                }
            }
        }
        if has_head {
            Ok(())
        } else {
            Err(A::Error::missing_field("head"))
        }
    }
}

struct NodeSeed<'p> {
    profile: &'p mut Profile,
    parent: Option<usize>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node with \"callFrame\", \"selfSize\", \"id\" and \"children\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.depth >= DEEPEST {
            return Err(A::Error::custom(format!(
                "more than {DEEPEST} calls inside each other"
            )));
        }
        let at = self.profile.nodes.len();
        self.profile.nodes.push(Node {
            parent: self.parent,
            frame: CallFrame::default(),
            id: 0,
            self_size: 0,
        });
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "callFrame" => self.profile.nodes[at].frame = map.next_value()?,
                "selfSize" => {
                    let size: f64 = map.next_value()?;
                    if !(0.0..9e15).contains(&size) {
                        return Err(A::Error::custom(format!("a size of {size} bytes")));
                    }
                    self.profile.nodes[at].self_size = size as u64;
                }
                "id" => self.profile.nodes[at].id = map.next_value()?,
                "children" => map.next_value_seed(Children {
                    profile: &mut *self.profile,
                    parent: at,
                    depth: self.depth + 1,
                })?,
                _ => {
                    map.next_value_seed(Skip(0))?;
                }
            }
        }
        Ok(())
    }
}

struct Children<'p> {
    profile: &'p mut Profile,
    parent: usize,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Children<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Children<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        loop {
            let seed = NodeSeed {
                profile: &mut *self.profile,
                parent: Some(self.parent),
                depth: self.depth,
            };
            if sequence.next_element_seed(seed)?.is_none() {
                return Ok(());
            }
        }
    }
}

/// Passes over a value, to a bounded depth.
struct Skip(usize);

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Skip {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.0 >= DEEPEST {
            return Err(A::Error::custom("a value that nests too deep"));
        }
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Skip(self.0 + 1))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        if self.0 >= DEEPEST {
            return Err(A::Error::custom("a value that nests too deep"));
        }
        while sequence.next_element_seed(Skip(self.0 + 1))?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
