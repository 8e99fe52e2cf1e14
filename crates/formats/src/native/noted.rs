//! Names that a stripped dump gives in place of the program's files: facts of `INFO`.

use rustc_hash::FxHashMap;

use super::Facts;
use super::allocated::{Allocated, Passing};
use super::members::{Field, Members};
use super::symbols::Function;

/// A dump whose names are in its facts.
pub(super) const STRIPPED: &str = "stripped";

/// Says that the program has the library of C++, whose file has another name in a stripped dump.
pub(super) const CPP: &str = "cpp";

/// What a stack is called: its number and its origin, and for a place of the program its function and its location, and
/// if they are known what is allocated there, the type of the whole block and that of one value of an array; with tabs
/// between them.
pub(super) const SITE: &str = "site";
/// What the objects of a virtual table are called: its address and the name, and the type of the whole block if it is
/// known, with tabs between them.
pub(super) const TYPE: &str = "type";
/// The fields of a type: its name and bytes, then for each field where it begins and ends, `reference` or `value`, and
/// its name; with tabs between all.
pub(super) const FIELDS: &str = "fields";

const UNKNOWN: &str = "unknown";
const RUNTIME: &str = "runtime";
const PROGRAM: &str = "program";
/// In place of [`PROGRAM`], where a node of a library's container is allocated.
const NODE: &str = "node";
const REFERENCE: &str = "reference";
const VALUE: &str = "value";

/// What is known of a stack.
pub(super) enum Stack {
    Unknown,
    Runtime,
    Program(Function, Passing),
}

/// Fields with tabs between them; those at the end that are missing are left out.
fn line<'f>(fields: impl IntoIterator<Item = Option<&'f str>>) -> String {
    let fields: Vec<&str> = fields.into_iter().map_while(|field| field).collect();
    fields.join("\t")
}

/// The value of [`TYPE`].
pub(super) fn of_type(address: u64, ty: &Allocated) -> String {
    line([
        Some(format!("{address:x}").as_str()),
        Some(ty.name.as_str()),
        ty.whole.as_deref(),
    ])
}

/// The value of [`SITE`].
pub(super) fn of_stack(stack: u32, noted: &Stack) -> String {
    let stack = stack.to_string();
    match noted {
        Stack::Unknown => line([Some(stack.as_str()), Some(UNKNOWN)]),
        Stack::Runtime => line([Some(stack.as_str()), Some(RUNTIME)]),
        Stack::Program(function, passing) => {
            let (sort, allocated) = match passing {
                Passing::Type(allocated) => (PROGRAM, Some(allocated)),
                Passing::Node(node) => (NODE, Some(node)),
                Passing::On | Passing::Nothing => (PROGRAM, None),
            };
            let elements = allocated.and_then(|allocated| allocated.elements.as_deref());
            let whole = allocated.and_then(|allocated| allocated.whole.as_deref());
            line([
                Some(stack.as_str()),
                Some(sort),
                Some(function.name.as_str()),
                Some(function.location.as_str()),
                allocated.map(|allocated| allocated.name.as_str()),
                whole.or(elements.map(|_| "")),
                elements,
            ])
        }
    }
}

/// The value of [`FIELDS`].
pub(super) fn of_fields(name: &str, members: &Members) -> String {
    let mut value = format!("{name}\t{}", members.bytes);
    for field in members.fields() {
        let sort = if field.is_reference { REFERENCE } else { VALUE };
        let more = [field.start.to_string(), field.end.to_string()];
        for part in [more[0].as_str(), more[1].as_str(), sort, field.name.as_str()] {
            value.push('\t');
            value.push_str(part);
        }
    }
    value
}

/// The values of a fact, cut at their tabs.
fn values<'f>(facts: Facts<'f>, wanted: &'static str) -> impl Iterator<Item = std::str::Split<'f, char>> {
    let values = facts.iter().filter(move |(name, _)| *name == wanted);
    values.filter_map(|(_, value)| Some(str::from_utf8(value).ok()?.split('\t')))
}

/// The stacks that a dump names, in its order.
pub(super) fn stacks(facts: Facts<'_>) -> impl Iterator<Item = (u32, Stack)> {
    values(facts, SITE).filter_map(|mut fields| {
        let stack = fields.next()?.parse().ok()?;
        let noted = match fields.next()? {
            RUNTIME => Stack::Runtime,
            PROGRAM => {
                let mut next = || fields.next().map(str::to_owned);
                let (name, location) = (next()?, next()?);
                let passing = allocated(next).map_or(Passing::Nothing, Passing::Type);
                Stack::Program(Function::at(name, location), passing)
            }
            NODE => {
                let mut next = || fields.next().map(str::to_owned);
                let (name, location) = (next()?, next()?);
                Stack::Program(Function::at(name, location), Passing::Node(allocated(next)?))
            }
            _ => Stack::Unknown,
        };
        Some((stack, noted))
    })
}

/// What is allocated, of the fields that are left.
fn allocated(mut next: impl FnMut() -> Option<String>) -> Option<Allocated> {
    let mut part = || next().filter(|part| !part.is_empty());
    Some(Allocated {
        name: part()?,
        whole: part(),
        elements: part(),
    })
}

/// The types that a dump names, by the addresses of their virtual tables.
pub(super) fn types(facts: Facts<'_>) -> FxHashMap<u64, Option<Allocated>> {
    values(facts, TYPE)
        .filter_map(|mut fields| {
            let address = u64::from_str_radix(fields.next()?, 16).ok()?;
            let name = fields.next()?.to_owned();
            let whole = fields.next().map(str::to_owned);
            let allocated = Allocated {
                name,
                whole,
                elements: None,
            };
            Some((address, Some(allocated)))
        })
        .collect()
}

/// The fields of types that a dump lists.
pub(super) fn members(facts: Facts<'_>) -> FxHashMap<String, Members> {
    values(facts, FIELDS)
        .filter_map(|mut words| {
            let name = words.next()?.to_owned();
            let bytes = words.next()?.parse().ok()?;
            let mut fields = Vec::new();
            while let Some(start) = words.next() {
                fields.push(Field {
                    start: start.parse().ok()?,
                    end: words.next()?.parse().ok()?,
                    is_reference: words.next()? == REFERENCE,
                    name: words.next()?.to_owned(),
                });
            }
            Some((name, Members::new(bytes, fields)))
        })
        .collect()
}
