//! The edges of one row, each with the name a person would say.

use deadweight_heap::{EdgeKind, TextId, Via};
use rustc_hash::FxHashMap;

use super::{Found, Graph, Root};
use crate::ruby::named::{Record, immediate};
use crate::ruby::row::Bits;
use crate::ruby::tag::Tag;

impl Graph<'_> {
    /// Adds the edges of one row: it has `references` references, and `targets` are the rows among what they lead to.
    pub(super) fn row(&self, row: usize, references: usize, found: &mut Found, targets: &[u32]) {
        let first = found.to.len();
        self.by_name(row, references, found, targets);
        self.own_class(row as u32, first, found);
    }

    fn by_name(&self, row: usize, references: usize, found: &mut Found, targets: &[u32]) {
        let all = self.all;
        let record = self.named.of(row);
        match all.tag[row] {
            Tag::Object | Tag::Struct => self.fields(row, references, record, found, targets),
            Tag::Class | Tag::Module => {
                let (kind, by_name) = if row as u32 == self.top {
                    (EdgeKind::Variable, EdgeKind::Variable)
                } else {
                    (EdgeKind::Field, EdgeKind::Field)
                };
                self.held(record, kind, by_name, self.names.constant, found, targets);
            }
            Tag::Root => match self.roots.get(&(row as u32)) {
                Some(Root::Globals) => {
                    let kind = EdgeKind::Variable;
                    self.held(record, kind, kind, self.names.global, found, targets);
                }
                _ => internal(found, targets),
            },
            Tag::Thread | Tag::Environment => {
                let kind = EdgeKind::Variable;
                self.held(None, kind, kind, self.names.local, found, targets);
            }
            Tag::Array if !all.bits[row].has(Bits::SHARED) => {
                for (index, &to) in targets.iter().enumerate() {
                    found.push(EdgeKind::Element, index as u32, to);
                }
            }
            Tag::Hash => match self.named.of_hash(all, row) {
                Some(record) => self.fields(row, references, Some(record), found, targets),
                None => match self.named.of_slots(all, row) {
                    Some(words) => self.slots(words, found, targets),
                    None => self.entries(row, references, found, targets),
                },
            },
            _ => internal(found, targets),
        }
    }

    /// Adds the references between an object and a class of its own, and those of the class's pieces, which begin at
    /// `first`: what a piece refers to is no matter of the program's, and no piece holds the object that it is a piece of.
    fn own_class(&self, row: u32, first: usize, found: &mut Found) {
        if let Some(class) = self.own_classes.class_of(row) {
            found.push(EdgeKind::Internal, 0, class);
        }
        let Some(object) = self.own_classes.object_of(row) else {
            return;
        };
        for at in first..found.to.len() {
            if found.to[at] == object {
                found.via[at] = Via::new(EdgeKind::Weak, 0);
            }
        }
        for &piece in self.own_classes.pieces_of(row) {
            if !found.to[first..].contains(&piece) {
                found.push(EdgeKind::Internal, 0, piece);
            }
        }
    }

    /// Instance variables and members.
    fn fields(
        &self,
        row: usize,
        references: usize,
        record: Option<Record<'_>>,
        found: &mut Found,
        targets: &[u32],
    ) {
        let all = self.all;
        if let Some(record) = record {
            let names = &self.names.groups[record.group as usize];
            let first = found.to.len();
            for (&name, &word) in names.iter().zip(record.values) {
                if immediate(word, self.pooled).is_some() {
                    found.push_word(EdgeKind::Field, name, word);
                } else if let Some(to) = self.addresses.row(word) {
                    found.push(EdgeKind::Field, name, to);
                }
            }
            // What it refers to besides, such as the object it wraps.
            let named = found.to.len();
            for &to in targets {
                if !found.to[first..named].contains(&to) {
                    found.push(EdgeKind::Internal, 0, to);
                }
            }
            return;
        }
        let shape = self
            .shape_of
            .get(&(row as u32))
            .and_then(|shape| self.names.shapes.get(shape));
        // Without the recorder it is sure which variable refers to what only when all of them are references.
        let complete = references == all.count[row] as usize && targets.len() == references;
        if let Some(names) =
            shape.filter(|names| complete && names.len() == references && all.tag[row] == Tag::Object)
        {
            for (&name, &to) in names.iter().zip(targets) {
                found.push(EdgeKind::Field, name, to);
            }
            return;
        }
        let ty = self.classes.of(all, row) as usize;
        for &to in targets {
            found.push(EdgeKind::Variable, self.names.members[ty], to);
        }
    }

    /// Constants, globals and local variables: data by their names, all else without.
    fn held(
        &self,
        record: Option<Record<'_>>,
        kind: EdgeKind,
        by_name: EdgeKind,
        otherwise: TextId,
        found: &mut Found,
        targets: &[u32],
    ) {
        let mut names: FxHashMap<u32, TextId> = FxHashMap::default();
        if let Some(record) = record {
            let group = &self.names.groups[record.group as usize];
            for (&name, &word) in group.iter().zip(record.values) {
                if let Some(to) = self
                    .addresses
                    .row(word)
                    .filter(|_| immediate(word, self.pooled).is_none())
                {
                    names.entry(to).or_insert(name);
                }
            }
        }
        for &to in targets {
            match names.get(&to) {
                Some(&name) => found.push(by_name, name, to),
                None if self.is_data(to) => found.push(kind, otherwise, to),
                None => found.push(EdgeKind::Internal, 0, to),
            }
        }
    }

    /// Whether a person would name it: not code, and nothing of the interpreter's.
    fn is_data(&self, row: u32) -> bool {
        let row = row as usize;
        let hidden = !self.all.bits[row].has(Bits::CLASSED);
        !hidden
            && !matches!(
                self.all.tag[row],
                Tag::Class
                    | Tag::Module
                    | Tag::IncludedClass
                    | Tag::Code
                    | Tag::Internal
                    | Tag::Symbol
                    | Tag::Shape
                    | Tag::Root
            )
    }

    /// Keys and values as the recorder saw them, and behind them the default.
    fn slots(&self, words: &[u64], found: &mut Found, targets: &[u32]) {
        let first = found.to.len();
        for (at, &word) in words.iter().enumerate() {
            let kind = if at % 2 == 0 {
                EdgeKind::Key
            } else {
                EdgeKind::Value
            };
            let index = (at / 2) as u32;
            if immediate(word, self.pooled).is_some() {
                found.push_word(kind, index, word);
            } else if let Some(to) = self.addresses.row(word) {
                found.push(kind, index, to);
            }
        }
        let named = found.to.len();
        for &to in targets {
            if !found.to[first..named].contains(&to) {
                found.push(EdgeKind::Internal, 0, to);
            }
        }
    }

    /// Keys and values stand in turn; which are left out shows only by their number. Behind them comes the default, as the
    /// collector marks it last.
    fn entries(&self, row: usize, references: usize, found: &mut Found, targets: &[u32]) {
        let all = self.all;
        let entries = all.count[row] as usize;
        let whole = targets.len() == references;
        let pairs = entries.saturating_mul(2);
        let has_default = all.bits[row].has(Bits::DEFAULT) || references == pairs + 1;
        let (targets, default) = match targets.split_last() {
            Some((default, entries)) if whole && has_default => (entries, Some(*default)),
            _ => (targets, None),
        };
        if whole && targets.len() == pairs {
            for (index, pair) in targets.chunks_exact(2).enumerate() {
                found.push(EdgeKind::Key, index as u32, pair[0]);
                found.push(EdgeKind::Value, index as u32, pair[1]);
            }
        } else {
            // A string that is a key is one of the unique ones.
            let key = |&to: &u32| {
                let to = to as usize;
                all.tag[to] == Tag::String && all.bits[to].has(Bits::UNIQUE)
            };
            let keys = whole && targets.len() == entries && targets.iter().all(key);
            let kind = if keys { EdgeKind::Key } else { EdgeKind::Value };
            for (index, &to) in targets.iter().enumerate() {
                found.push(kind, index as u32, to);
            }
        }
        if let Some(default) = default {
            found.push(EdgeKind::Internal, 0, default);
        }
    }
}

fn internal(found: &mut Found, targets: &[u32]) {
    for &to in targets {
        found.push(EdgeKind::Internal, 0, to);
    }
}
