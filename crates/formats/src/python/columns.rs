//! The columns of the model: what each row is, what it is charged with, and its flags.

use deadweight_heap::{Edges, Flags, Kind, Objects};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::dicts::Dicts;
use super::engine::Standing;
use super::facts::{Facts, holds_data};
use super::outline::Outline;
use super::pieces;
use super::row::flag;
use super::scan::Scanned;
use super::sort::Sort;
use super::views::Backings;
use super::whose::Whose;

/// What the columns are made of.
pub(super) struct Columns<'c> {
    pub(super) bytes: &'c [u8],
    pub(super) outline: &'c Outline,
    pub(super) scanned: &'c Scanned,
    pub(super) edges: &'c Edges,
    pub(super) dicts: &'c Dicts,
    pub(super) facts: &'c Facts,
    pub(super) standing: &'c Standing,
    pub(super) backings: &'c Backings,
    pub(super) whose: &'c Whose,
}

impl Columns<'_> {
    /// All columns; `labels` has one for each row of the file, `of_root` and `of_bytes` are those of rows that are added.
    pub(super) fn objects(
        &self,
        mut labels: Vec<u32>,
        fact: Vec<u32>,
        of_root: u32,
        of_bytes: u32,
    ) -> Objects {
        let scanned = self.scanned;
        let rows = scanned.sort.len();
        let all = || (0..rows as u32).into_par_iter().with_min_len(8192);
        let of_types: Vec<Kind> = self
            .outline
            .types
            .iter()
            .map(|ty| pieces::kind(&self.outline.name(self.bytes, ty.name)))
            .collect();
        let mut kinds: Vec<Kind> = all().map(|row| self.kind(row, &of_types)).collect();
        for record in &self.facts.records {
            kinds[record.object as usize] = Kind::Record;
        }
        for array in &self.facts.arrays {
            kinds[array.object as usize] = Kind::Array;
        }
        // A class that is made again and again has functions of one code as well.
        let classes = scanned.values.types.iter();
        let methods: FxHashSet<u32> = classes
            .flat_map(|&(row, _)| self.edges.of(row).map(|edge| edge.to))
            .collect();
        for function in &scanned.values.functions {
            let is_of_objects = self.whose.is_of_many(function) && !methods.contains(&function.row);
            if is_of_objects
                || function.has_closure
                || function.has_data
                || holds_data(scanned, self.edges, function.row)
            {
                kinds[function.row as usize] = Kind::Closure;
            }
        }
        for &(row, _) in &scanned.values.types {
            if holds_data(scanned, self.edges, row) {
                kinds[row as usize] = Kind::Closure;
            }
        }
        let mut flags: Vec<Flags> = all().map(|row| self.flags(row)).collect();
        let mut bytes = scanned.bytes.clone();
        let mut large: FxHashMap<u32, u64> = scanned.large.iter().copied().collect();
        kinds.push(Kind::Scope);
        flags.push(Flags::default());
        bytes.push(0);
        labels.push(of_root);
        let buffers = &scanned.values.buffers;
        for &owner in &self.backings.owners {
            // What is charged for the bytes moves from their object to the row that views share.
            let at = buffers.binary_search_by_key(&owner, |buffer| buffer.row);
            let block = at.map_or(0, |at| buffers[at].block);
            let own = bytes[owner as usize];
            let whole = large.remove(&owner).unwrap_or(u64::from(own));
            let mut put = |row: u32, left: u64| {
                if left >= u64::from(u32::MAX) {
                    large.insert(row, left);
                }
                u32::try_from(left).unwrap_or(u32::MAX)
            };
            let added = bytes.len() as u32;
            bytes[owner as usize] = put(owner, whole.saturating_sub(block));
            bytes.push(put(added, block.min(whole)));
            kinds.push(Kind::Opaque);
            flags.push(flags[owner as usize]);
            labels.push(of_bytes);
        }
        Objects::from_columns(kinds, flags, bytes, large, labels, fact)
    }

    fn kind(&self, row: u32, of_types: &[Kind]) -> Kind {
        match self.scanned.sort[row as usize] {
            Sort::Str => Kind::String,
            Sort::Int | Sort::Float => Kind::Number,
            Sort::List | Sort::Tuple | Sort::Deque => Kind::Array,
            // The dictionary of an object is a piece of it.
            Sort::Dict | Sort::OrderedDict if self.dicts.owner(row).is_some() => Kind::Runtime,
            Sort::Dict | Sort::OrderedDict | Sort::Set => Kind::Table,
            Sort::Instance => Kind::Record,
            Sort::Bytes | Sort::Numbers | Sort::Ndarray | Sort::View => Kind::Buffer,
            Sort::Date => Kind::Date,
            Sort::Module | Sort::Frame => Kind::Scope,
            Sort::Type | Sort::Function | Sort::Code | Sort::Blocks => Kind::Runtime,
            Sort::Keys => Kind::Shape,
            Sort::Other | Sort::Places => of_types[self.scanned.ty[row as usize] as usize],
        }
    }

    fn flags(&self, row: u32) -> Flags {
        let owner = self.dicts.owner(row);
        let whole = owner.unwrap_or(row);
        let standing = self.standing;
        let mut flags = Flags::default();
        if standing.program.has(whole) {
            // It is the program's, whoever else holds it.
        } else if standing.engine.has(whole) {
            flags |= Flags::ENGINE;
        } else if standing.recorder.has(whole) {
            flags |= Flags::RECORDER;
        }
        if self.scanned.flags[row as usize] & flag::RECORDER != 0 {
            flags |= Flags::RECORDER;
        }
        if owner.is_some() {
            flags |= Flags::PART;
        }
        flags
    }
}
