//! References between rows, by the names a person would say. What stands in the dictionary of an object are its own
//! attributes; what leads to such a dictionary from elsewhere leads to its object.

use deadweight_heap::{EdgeKind, Edges, TextId, Texts, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::dicts::Dicts;
use super::named_tuples::NamedTuples;
use super::names::{Names, is_special};
use super::outline::{Holder, Outline, Root};
use super::payload::Payload;
use super::row::{Limits, Row};
use super::scan::{Piece, Referring};
use super::sort::Sort;
use super::views::Backings;
use crate::error::Malformed;
use crate::joined::joined;
use crate::progress;

/// What all references are made of.
pub(super) struct Graph<'g> {
    pub(super) bytes: &'g [u8],
    pub(super) outline: &'g Outline,
    pub(super) names: &'g Names,
    /// Texts of names, by their numbers.
    pub(super) of_names: &'g [TextId],
    pub(super) locals: &'g Locals,
    pub(super) dicts: &'g Dicts,
    pub(super) tuples: &'g NamedTuples,
    /// By row its sort, and the text of a string.
    pub(super) sorts: &'g [Sort],
    pub(super) labels: &'g [u32],
    pub(super) texts: &'g Texts,
    /// The type of cells, in which captured variables stand.
    pub(super) cell: Option<u32>,
    pub(super) captured: TextId,
}

/// What local variables are called, by function and name.
#[derive(Debug, Default)]
pub(super) struct Locals(FxHashMap<(Option<u32>, u32), TextId>);

impl Locals {
    /// Names those of all frames and roots; `add` adds a text.
    pub(super) fn new(
        bytes: &[u8],
        outline: &Outline,
        of_frames: &[(Option<u32>, u32)],
        mut add: impl FnMut(String) -> TextId,
    ) -> Self {
        let roots = outline.roots.iter().filter(|root| root.holder == Holder::Local);
        let of_roots = roots.filter_map(|root| Some((root.function, root.variable?)));
        let mut names = FxHashMap::default();
        // Functions of one name in several modules are one place.
        let mut by_name: FxHashMap<String, TextId> = FxHashMap::default();
        for (function, variable) in of_frames.iter().copied().chain(of_roots) {
            names.entry((function, variable)).or_insert_with(|| {
                let name = outline.name(bytes, variable);
                let name = match function {
                    Some(function) => {
                        format!("{name} (a local variable of {})", outline.name(bytes, function))
                    }
                    None => format!("{name} (a local variable)"),
                };
                *by_name.entry(name).or_insert_with_key(|name| add(name.clone()))
            });
        }
        Self(names)
    }

    fn get(&self, function: Option<u32>, variable: u32) -> TextId {
        self.0.get(&(function, variable)).copied().unwrap_or_default()
    }
}

/// What some rows refer to.
#[derive(Default)]
struct Found {
    ends: Vec<u32>,
    via: Vec<Via>,
    to: Vec<u32>,
}

impl Found {
    fn push(&mut self, kind: EdgeKind, name: u32, to: u32) {
        self.via.push(Via::new(kind, name));
        self.to.push(to);
    }
}

/// The references of all rows and, behind them, of one that stands for what holds rows from outside, and of the blocks
/// that views look on.
pub(super) fn edges(graph: &Graph<'_>, pieces: &[Piece], backings: &Backings) -> Result<Edges, Malformed> {
    let limits = Limits::of(graph.outline);
    let mut pieces: Vec<Found> = pieces
        .par_iter()
        .map(|piece| graph.piece(piece, &limits, backings))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<_, _>>()?;
    pieces.push(graph.roots(backings));
    let len: usize = pieces.iter().map(|piece| piece.to.len()).sum();
    if u32::try_from(len).is_err() {
        return Err(Malformed::new(
            graph.bytes.len(),
            "fewer than 2^32 references",
            len.to_string(),
        ));
    }
    let mut base = 0;
    for piece in &mut pieces {
        for end in &mut piece.ends {
            *end += base;
        }
        base += piece.to.len() as u32;
    }
    let ends = pieces.iter_mut().map(|piece| std::mem::take(&mut piece.ends));
    let starts = joined(std::iter::once(vec![0]).chain(ends).collect(), 0);
    let via = pieces
        .iter_mut()
        .map(|piece| std::mem::take(&mut piece.via))
        .collect();
    let via = joined(via, Via::default());
    let to = joined(pieces.into_iter().map(|piece| piece.to).collect(), 0);
    Ok(Edges::from_columns(starts, via, to))
}

impl Graph<'_> {
    fn piece(&self, piece: &Piece, limits: &Limits, backings: &Backings) -> Result<Found, Malformed> {
        let Piece { stretch, referring } = piece;
        let bytes = &self.bytes[..stretch.at.end];
        let (mut row, mut dict) = (Row::default(), Row::default());
        let mut found = Found::default();
        let end_before = |found: &mut Found, row: u32| {
            let rows = (row - stretch.rows.start) as usize;
            found.ends.resize(rows, found.to.len() as u32);
        };
        for &Referring { row: number, at } in referring {
            end_before(&mut found, number);
            row.read(&mut Cursor::new(bytes, at), limits)?;
            self.row(number, &row, &mut dict, (limits, backings), &mut found);
            if let Some(to) = backings.beside(number, row.sort) {
                found.push(EdgeKind::Internal, 0, to);
            }
        }
        end_before(&mut found, stretch.rows.end);
        progress::add(stretch.at.len());
        Ok(found)
    }

    /// The row that holds others from outside, and those that are added behind it and refer to nothing.
    fn roots(&self, backings: &Backings) -> Found {
        let mut found = Found::default();
        for root in &self.outline.roots {
            let to = self.target(root.row, root.row);
            match root {
                Root {
                    holder: Holder::Local,
                    variable: Some(variable),
                    ..
                } => {
                    found.push(EdgeKind::Variable, self.locals.get(root.function, *variable), to);
                }
                _ => found.push(EdgeKind::Internal, 0, to),
            }
        }
        found.ends = vec![found.to.len() as u32; 1 + backings.len()];
        found
    }

    /// A dictionary that is a piece of another object than `from` stands for that.
    fn target(&self, from: u32, to: u32) -> u32 {
        if !self.sorts[to as usize].is_dict() {
            return to;
        }
        self.dicts.owner(to).filter(|&owner| owner != from).unwrap_or(to)
    }

    fn text(&self, row: u32) -> Option<TextId> {
        (self.sorts[row as usize] == Sort::Str).then(|| self.labels[row as usize])
    }

    fn name(&self, name: u32) -> TextId {
        self.of_names.get(name as usize).copied().unwrap_or_default()
    }

    fn row(
        &self,
        number: u32,
        row: &Row,
        dict: &mut Row,
        (limits, backings): (&Limits, &Backings),
        found: &mut Found,
    ) {
        let is_scope = matches!(row.sort, Sort::Module | Sort::Type);
        let is_between = row.sort == Sort::Other && backings.is_between(number);
        for &(name, to) in &row.attributes {
            if is_between {
                // The views themselves lead to what they look on.
                continue;
            }
            if Some(name) == self.names.dict
                && self.dicts.owner(to) == Some(number)
                && let Some(at) = self.dicts.get(to).map(|dict| dict.at as usize)
            {
                found.push(EdgeKind::Internal, 0, to);
                if dict.read(&mut Cursor::new(self.bytes, at), limits).is_ok() {
                    self.fields(number, is_scope, dict, found);
                }
                continue;
            }
            let (kind, label) = self.attribute(row, name);
            found.push(kind, label, self.target(number, to));
        }
        let fields = match row.sort {
            Sort::Tuple => self.tuples.fields(row.ty, row.elements.len()),
            _ => None,
        };
        for (index, &element) in (0..).zip(&row.elements) {
            let Some(to) = element else { continue };
            let (kind, name) = match (fields, row.sort) {
                (Some(fields), _) => (EdgeKind::Field, fields[index as usize]),
                (None, Sort::Set) => (EdgeKind::Key, index),
                _ => (EdgeKind::Element, index),
            };
            found.push(kind, name, self.target(number, to));
        }
        self.entries(number, row, found);
        for &to in &row.others {
            found.push(EdgeKind::Internal, 0, self.target(number, to));
        }
    }

    /// What a reference by a name is called.
    fn attribute(&self, row: &Row, name: u32) -> (EdgeKind, TextId) {
        let is_data_of_function =
            |name| [self.names.defaults, self.names.keyword_defaults].contains(&Some(name));
        let is_hidden = match row.sort {
            Sort::Function => self.names.is_special(name) && !is_data_of_function(name),
            Sort::Module | Sort::Type => self.names.is_special(name),
            Sort::Ndarray => Some(name) == self.names.base,
            Sort::Code | Sort::Keys => true,
            _ => false,
        };
        match row.payload {
            _ if is_hidden => (EdgeKind::Internal, 0),
            Payload::Frame { function } => (EdgeKind::Variable, self.locals.get(function, name)),
            Payload::Nothing if row.sort == Sort::Other && self.cell == Some(row.ty) => {
                (EdgeKind::Variable, self.captured)
            }
            _ => (EdgeKind::Field, self.name(name)),
        }
    }

    /// What stands in an object's own dictionary, as its fields.
    fn fields(&self, owner: u32, is_scope: bool, dict: &Row, found: &mut Found) {
        for &(key, value) in &dict.entries {
            let Some(value) = value else { continue };
            let name = key.and_then(|key| self.text(key));
            let is_hidden = |name: TextId| is_scope && is_special(self.texts.raw(name));
            match name.filter(|&name| !is_hidden(name)) {
                Some(name) => found.push(EdgeKind::Field, name, self.target(owner, value)),
                None => found.push(EdgeKind::Internal, 0, self.target(owner, value)),
            }
        }
    }

    fn entries(&self, number: u32, row: &Row, found: &mut Found) {
        let is_dict = row.sort.is_dict();
        let is_owned = is_dict && self.dicts.owner(number).is_some();
        let is_record = is_dict && self.dicts.group(number).is_some();
        for (index, &(key, value)) in (0..).zip(&row.entries) {
            let to = |to: u32| self.target(number, to);
            if let Some(key) = key {
                let kind = if is_owned || !is_dict {
                    EdgeKind::Internal
                } else {
                    EdgeKind::Key
                };
                found.push(kind, index, to(key));
            }
            let Some(value) = value else { continue };
            let name = key.and_then(|key| self.text(key));
            match name {
                // These are the fields of its owner.
                _ if is_owned => {}
                Some(name) if is_record => found.push(EdgeKind::Field, name, to(value)),
                _ if is_dict => found.push(EdgeKind::Value, index, to(value)),
                _ => found.push(EdgeKind::Internal, index, to(value)),
            }
        }
    }
}
