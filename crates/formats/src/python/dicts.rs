//! What dictionaries are: a piece of the object whose attributes stand in them, a record with its keys as fields, or a
//! table.

use deadweight_heap::{NONE, RankedRows, RowSet, TextId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use twox_hash::XxHash3_64;

use super::cursor::Cursor;
use super::outline::Outline;
use super::payload::Keys;
use super::row::{Limits, Row};
use super::scan::Scanned;
use super::sort::Sort;
use super::values::DictRow;

/// Dictionaries are records when so many have the same keys, and so many of them.
const ALIKE: u32 = 16;
const KEYS: std::ops::RangeInclusive<u32> = 2..=64;

/// A longer key is no name of a field, in bytes.
const LONGEST_KEY: u32 = 64;

/// Classes whose objects are used as records; those that are based on them do more.
const PLAIN: [&str; 2] = ["dict", "collections.OrderedDict"];

/// All dictionaries.
#[derive(Debug)]
pub(super) struct Dicts {
    ranks: RankedRows,
    rows: Vec<DictRow>,
    /// The object whose attributes stand in each, or [`NONE`].
    owner: Vec<u32>,
    /// The group of those with the same keys to which each belongs as a record, or [`NONE`].
    group: Vec<u32>,
    /// The keys of each group.
    pub(super) groups: Vec<Vec<TextId>>,
}

impl Dicts {
    /// Finds out whose each is. A dictionary is a piece of an object when nothing else holds it; that of a module or a
    /// class always is, whoever sees it as well.
    pub(super) fn new(scanned: &mut Scanned) -> Self {
        let rows = std::mem::take(&mut scanned.values.dicts);
        let set = RowSet::none(scanned.sort.len());
        set.extend(rows.iter().map(|dict| dict.row));
        let mut dicts = Self {
            ranks: set.ranked(),
            owner: vec![NONE; rows.len()],
            group: vec![NONE; rows.len()],
            rows,
            groups: Vec::new(),
        };
        let is_scope = |row: u32| matches!(scanned.sort[row as usize], Sort::Module | Sort::Type);
        let own = &scanned.values.own_dicts;
        let (scopes, others): (Vec<_>, Vec<_>) = own.iter().partition(|(owner, _)| is_scope(*owner));
        let is_alone = |dict: u32| {
            let row = dict as usize;
            scanned.shown[row] == 1 && scanned.counted[row] <= 1
        };
        let others = others.into_iter().filter(|&(_, dict)| is_alone(dict));
        for (owner, dict) in scopes.into_iter().chain(others) {
            if owner != dict
                && let Some(rank) = dicts.ranks.rank(dict)
                && dicts.owner[rank] == NONE
            {
                dicts.owner[rank] = owner;
            }
        }
        dicts
    }

    pub(super) fn all(&self) -> &[DictRow] {
        &self.rows
    }

    fn rank(&self, row: u32) -> Option<usize> {
        self.ranks.rank(row)
    }

    /// The dictionary in a row.
    pub(super) fn get(&self, row: u32) -> Option<&DictRow> {
        self.rank(row).map(|rank| &self.rows[rank])
    }

    /// The object whose attributes stand in a dictionary.
    pub(super) fn owner(&self, row: u32) -> Option<u32> {
        let owner = self.owner[self.rank(row)?];
        (owner != NONE).then_some(owner)
    }

    /// The group of a dictionary that is a record.
    pub(super) fn group(&self, row: u32) -> Option<u32> {
        let group = self.group[self.rank(row)?];
        (group != NONE).then_some(group)
    }

    /// Dictionaries that are pieces, with their owners.
    pub(super) fn owned(&self) -> impl Iterator<Item = (&DictRow, u32)> {
        let all = self.rows.iter().zip(self.owner.iter().copied());
        all.filter(|&(_, owner)| owner != NONE)
    }

    /// Makes records of those with keys that many have in common. `text` gives the text of a string with its bytes.
    pub(super) fn find_records(
        &mut self,
        bytes: &[u8],
        outline: &Outline,
        scanned: &Scanned,
        text: &(dyn Fn(u32) -> Option<(TextId, u32)> + Sync),
    ) {
        let named = |names: &[&str]| -> Vec<bool> {
            let is_named = |name: u32| names.contains(&outline.name(bytes, name).as_ref());
            let types = outline.types.iter();
            types.map(|ty| !ty.is_class() && is_named(ty.name)).collect()
        };
        let reader = KeyReader {
            bytes,
            limits: Limits::of(outline),
            types: &scanned.ty,
            is_plain: named(&PLAIN),
            is_truth: named(&["bool"]),
            text,
        };
        let dicts = self
            .rows
            .par_iter()
            .zip(&self.owner)
            .enumerate()
            .with_min_len(1024);
        let signed: Vec<(usize, u64)> = dicts
            .map_init(Read::default, |read, (rank, (dict, &owner))| {
                let is_record = owner == NONE && reader.read(read, dict).is_some();
                is_record.then(|| (rank, read.signature()))
            })
            .flatten_iter()
            .collect();
        let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
        for (_, signature) in &signed {
            *alike.entry(*signature).or_default() += 1;
        }
        let mut groups: FxHashMap<u64, u32> = FxHashMap::default();
        let mut read = Read::default();
        for (rank, signature) in signed
            .into_iter()
            .filter(|(_, signature)| alike[signature] >= ALIKE)
        {
            let known = groups.get(&signature).copied();
            let group = known.or_else(|| {
                reader.read(&mut read, &self.rows[rank])?;
                self.groups.push(read.keys.clone());
                let group = (self.groups.len() - 1) as u32;
                groups.insert(signature, group);
                Some(group)
            });
            self.group[rank] = group.unwrap_or(NONE);
        }
    }
}

/// A dictionary that was read, with room for the next one.
#[derive(Default)]
struct Read {
    row: Row,
    /// The texts of its keys.
    keys: Vec<TextId>,
    words: Vec<u8>,
}

impl Read {
    /// Equal for equal keys in the same order.
    fn signature(&mut self) -> u64 {
        self.words.clear();
        self.words
            .extend(self.keys.iter().flat_map(|key| key.to_le_bytes()));
        XxHash3_64::oneshot(&self.words)
    }
}

/// Reads the keys of dictionaries that may be records.
struct KeyReader<'r> {
    bytes: &'r [u8],
    limits: Limits,
    types: &'r [u32],
    is_plain: Vec<bool>,
    is_truth: Vec<bool>,
    text: &'r (dyn Fn(u32) -> Option<(TextId, u32)> + Sync),
}

impl KeyReader<'_> {
    /// Reads one, where all its keys may be names of fields.
    fn read(&self, read: &mut Read, dict: &DictRow) -> Option<()> {
        let may_be = dict.keys != Keys::Split
            && KEYS.contains(&dict.used)
            && self.is_plain[self.types[dict.row as usize] as usize];
        if !may_be {
            return None;
        }
        let Read { row, keys, .. } = read;
        // The row was read without an error before.
        row.read(&mut Cursor::new(self.bytes, dict.at as usize), &self.limits)
            .ok()?;
        if self.is_set(row) {
            return None;
        }
        keys.clear();
        for &(key, _) in &row.entries {
            let (text, bytes) = (self.text)(key?)?;
            if bytes > LONGEST_KEY {
                return None;
            }
            keys.push(text);
        }
        Some(())
    }

    /// A dictionary whose values are all one truth value is a set.
    fn is_set(&self, row: &Row) -> bool {
        let first = row.entries.first().and_then(|&(_, value)| value);
        let is_truth = |row: u32| self.is_truth[self.types[row as usize] as usize];
        first.is_some_and(is_truth) && row.entries.iter().all(|&(_, value)| value == first)
    }
}
