//! Facts by kind, and for each row its place among them.

use deadweight_heap::{
    Array, Buffer, Date, EdgeKind, Edges, Implementation, NONE, Number, Record, StringForm, Table, UNKNOWN,
};

use super::dicts::Dicts;
use super::layout::implementations;
use super::named_tuples::NamedTuples;
use super::payload::{Attributes, Keys};
use super::row::flag;
use super::scan::Scanned;
use super::sort::Sort;
use super::values::{DictRow, Instance};
use super::views::Backings;

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) records: Vec<Record>,
    pub(super) arrays: Vec<Array>,
    pub(super) tables: Vec<Table>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) numbers: Vec<Number>,
    pub(super) dates: Vec<Date>,
    /// The place of each row in its table, the form of a string, the owner of a piece.
    pub(super) fact: Vec<u32>,
}

/// What facts are made of, beside what the rows say.
pub(super) struct Known<'k> {
    pub(super) dicts: &'k Dicts,
    pub(super) tuples: &'k NamedTuples,
    /// By type how its instances keep attributes, how many slots they have, and whether it is `defaultdict`.
    pub(super) keeps: Vec<Implementation>,
    pub(super) slots: Vec<u32>,
    /// The minor version of the interpreter.
    pub(super) minor: u8,
    pub(super) default_dict: Option<u32>,
    pub(super) backings: &'k Backings,
}

pub(super) fn facts(scanned: &mut Scanned, known: &Known<'_>) -> Facts {
    let (dicts, backings) = (known.dicts, known.backings);
    let instances = std::mem::take(&mut scanned.values.instances);
    let mut records = Vec::with_capacity(instances.len());
    // Both lists are in the order of rows.
    let mut own_dicts = scanned.values.own_dicts.iter().peekable();
    for instance in &instances {
        while own_dicts.next_if(|of| of.0 < instance.row).is_some() {}
        let own = own_dicts.peek().filter(|of| of.0 == instance.row);
        let own = own.filter(|of| dicts.owner(of.1) == Some(instance.row));
        let ty = instance.ty as usize;
        let keeping = Keeping {
            slots: known.slots.get(ty).copied().unwrap_or(0),
            implementation: known.keeps.get(ty).copied().unwrap_or(implementations::SLOTS),
            minor: known.minor,
        };
        records.push(of_instance(
            instance,
            &keeping,
            own.and_then(|of| dicts.get(of.1)),
        ));
    }
    let values = &mut scanned.values;
    let mut tables = std::mem::take(&mut values.sets);
    for dict in dicts.all() {
        if dicts.group(dict.row).is_some() {
            records.push(of_dict(dict));
        } else if dicts.owner(dict.row).is_none() {
            let row = dict.row as usize;
            let is_default = known.default_dict == Some(scanned.ty[row]);
            tables.push(table(dict, scanned.sort[row], is_default));
        }
    }
    let mut arrays = std::mem::take(&mut values.arrays);
    arrays.retain(|array| {
        let row = array.object as usize;
        let is_tuple = scanned.sort[row] == Sort::Tuple;
        let fields = || known.tuples.fields(scanned.ty[row], array.used as usize);
        let is_record = is_tuple && fields().is_some();
        if is_record {
            records.push(of_tuple(array));
        }
        !is_record
    });
    // They are few lists that are in order, one behind the other: this sort joins those.
    records.sort_by_key(|record| record.object);
    tables.sort_by_key(|table| table.object);
    let mut facts = Facts {
        records,
        arrays,
        tables,
        buffers: backings.buffers(&values.buffers),
        numbers: std::mem::take(&mut values.numbers),
        dates: std::mem::take(&mut values.dates),
        fact: Vec::new(),
    };
    let mut fact = vec![NONE; scanned.sort.len() + 1 + backings.len()];
    let mut note = |objects: &mut dyn Iterator<Item = u32>| {
        for (at, object) in (0..).zip(objects) {
            fact[object as usize] = at;
        }
    };
    note(&mut facts.records.iter().map(|of| of.object));
    note(&mut facts.arrays.iter().map(|of| of.object));
    note(&mut facts.tables.iter().map(|of| of.object));
    note(&mut facts.buffers.iter().map(|of| of.object));
    note(&mut facts.numbers.iter().map(|of| of.object));
    note(&mut facts.dates.iter().map(|of| of.object));
    for text in &scanned.texts {
        fact[text.row as usize] = StringForm::Flat as u32;
    }
    for (dict, owner) in dicts.owned() {
        fact[dict.row as usize] = owner;
    }
    facts.fact = fact;
    facts
}

/// How instances of a type keep their attributes.
struct Keeping {
    slots: u32,
    implementation: Implementation,
    minor: u8,
}

impl Keeping {
    /// Attributes for which there are places. Since 3.11 values have one place more than their class has names
    /// (`init_inline_values`).
    fn places(&self, room: u32) -> u32 {
        let spare = u32::from(self.minor >= 11);
        self.slots.saturating_add(room.saturating_sub(spare))
    }
}

/// An instance; `own` is its dictionary.
fn of_instance(instance: &Instance, keeping: &Keeping, own: Option<&DictRow>) -> Record {
    let mut record = Record {
        object: instance.row,
        shape: NONE,
        used: instance.attributes,
        available: keeping
            .places(instance.room)
            .max(instance.attributes)
            .min(UNKNOWN - 1),
        dictionary: 0,
        implementation: keeping.implementation,
    };
    let Some(own) = own else {
        if instance.form == Attributes::Dictionary {
            // A dictionary that others hold, too.
            record.available = keeping.slots.max(instance.attributes);
        }
        return record;
    };
    record.used = instance.attributes.saturating_add(own.used).min(UNKNOWN - 1);
    if own.keys == Keys::Split {
        record.available = keeping.places(own.room).max(record.used).min(UNKNOWN - 1);
        if keeping.minor >= 11 {
            record.implementation = implementations::LOOKED_AT;
        }
    } else {
        record.available = UNKNOWN;
        record.dictionary = own.room.max(own.used).max(1);
        record.implementation = implementations::TABLED;
    }
    record
}

/// A dictionary that is used as a record.
fn of_dict(dict: &DictRow) -> Record {
    Record {
        object: dict.row,
        shape: NONE,
        used: dict.used,
        available: UNKNOWN,
        dictionary: dict.room.max(dict.used).max(1),
        implementation: implementations::SLOTS,
    }
}

/// A tuple with names for its items.
fn of_tuple(array: &Array) -> Record {
    Record {
        object: array.object,
        shape: NONE,
        used: array.used,
        available: array.used,
        dictionary: 0,
        implementation: implementations::NAMED_TUPLE,
    }
}

fn table(dict: &DictRow, sort: Sort, is_default: bool) -> Table {
    let [of_texts, of_any] = match sort {
        Sort::OrderedDict => [implementations::ORDERED, implementations::ORDERED_OF_ANY],
        _ if is_default => [implementations::DEFAULT, implementations::DEFAULT_OF_ANY],
        _ => [implementations::DICT, implementations::DICT_OF_ANY],
    };
    Table {
        object: dict.row,
        store: dict.row,
        used: dict.used,
        capacity: dict.room.max(dict.used),
        set: false,
        implementation: if dict.keys == Keys::Any { of_any } else { of_texts },
    }
}

/// Whether a class holds data, not only code.
pub(super) fn holds_data(scanned: &Scanned, edges: &Edges, row: u32) -> bool {
    let is_data = |row: u32| {
        let at = row as usize;
        let is_shared = scanned
            .flags
            .get(at)
            .is_some_and(|flags| flags & flag::SHARED != 0);
        scanned.sort.get(at).is_some_and(|sort| sort.is_data()) && !is_shared
    };
    let mut fields = edges.of(row).filter(|edge| edge.via.kind() == EdgeKind::Field);
    fields.any(|edge| is_data(edge.to))
}
