//! Types of the model, and which of them are a library's.

use std::borrow::Cow;

use deadweight_heap::{Makes, OfLibrary, TextId, TypeId, Types};
use rustc_hash::FxHashSet;

use super::containers;
use super::outline::Outline;
use super::whose::Whose;

/// Classes of the standard library whose objects are values that a program makes: equal ones can be one.
const VALUES: [&str; 16] = [
    "_pydecimal.Decimal",
    "decimal.Decimal",
    "fractions.Fraction",
    "ipaddress.IPv4Address",
    "ipaddress.IPv4Network",
    "ipaddress.IPv6Address",
    "ipaddress.IPv6Network",
    "pathlib.PosixPath",
    "pathlib.PurePosixPath",
    "pathlib.PureWindowsPath",
    "pathlib.WindowsPath",
    "pathlib._local.PosixPath",
    "pathlib._local.PurePosixPath",
    "pathlib._local.PureWindowsPath",
    "pathlib._local.WindowsPath",
    "uuid.UUID",
];

/// Classes whose objects stand for the absence of a value.
const ABSENT: [&str; 3] = [
    "None",
    "pandas._libs.missing.NAType",
    "pandas._libs.tslibs.nattype.NaTType",
];

/// Classes that are no class statement's and make the empty containers in their fields themselves.
const MAKERS: [&str; 1] = ["functools.partial"];

/// Packages and classes of the standard library to whose fields programs hand containers. All others make those that are empty
/// themselves.
const HANDED: [&str; 2] = ["argparse.Namespace", "unittest.mock."];

/// Classes that copy what they are handed into containers of their own.
const COPIERS: [&str; 1] = ["functools.partial"];

/// One type for each of the dump's, with its number.
pub(super) fn types(bytes: &[u8], outline: &Outline, whose: &Whose) -> Types {
    let mut types = Types::default();
    let mut known: FxHashSet<u32> = FxHashSet::default();
    let mut known_names: FxHashSet<String> = FxHashSet::default();
    for (number, ty) in (0..).zip(&outline.types) {
        let name = shown(outline.name(bytes, ty.name));
        if known.insert(ty.name) && known_names.insert(name.clone().into_owned()) {
            types.named(&name);
        } else {
            types.namesake(&name);
        }
        if name == "datetime.timedelta" {
            types.note_span(number);
        }
        if ABSENT.contains(&name.as_ref()) {
            types.note_absent(number);
        }
        if !whose.is_own_type(number) {
            let of = OfLibrary {
                whole: !VALUES.contains(&name.as_ref()),
                closed: true,
                makes: Makes {
                    empty: makes_empty(whose, number, &name),
                    containers: COPIERS.contains(&name.as_ref()) || containers::is_one(&name),
                    ..Makes::default()
                },
                ..OfLibrary::default()
            };
            types.note_library(number, of);
        } else if is_opened_by_library(outline, whose, number) {
            types.note_library(number, OfLibrary::default());
        }
    }
    types
}

/// Notes which field of `defaultdict`s, and of classes based on it, has what makes the values of absent keys.
pub(super) fn note_defaults(
    types: &mut Types,
    outline: &Outline,
    default_dict: Option<u32>,
    field: Option<TextId>,
) {
    let (Some(default_dict), Some(field)) = (default_dict, field) else {
        return;
    };
    for class in 0..outline.types.len() as u32 {
        if outline.lineage(class).any(|base| base == default_dict) {
            types.note_default(class, field);
        }
    }
}

fn makes_empty(whose: &Whose, ty: u32, name: &str) -> bool {
    let is_handed = || HANDED.iter().any(|handed| name.starts_with(handed));
    MAKERS.contains(&name) || whose.is_standard_class(ty) && !is_handed()
}

/// The name of a type, but for the one that has a single object, which people call by its own name.
fn shown(name: Cow<'_, str>) -> Cow<'_, str> {
    if name == "NoneType" {
        Cow::Borrowed("None")
    } else {
        name
    }
}

/// Whether a class is based on one of a library's whose objects take attributes of any name: then its own take them as well,
/// whatever it says itself.
fn is_opened_by_library(outline: &Outline, whose: &Whose, class: u32) -> bool {
    let mut bases = outline.lineage(class).skip(1);
    bases.any(|base| outline.types[base as usize].is_open() && !whose.is_own_type(base))
}

/// A type for what is no instance of one: a module, or pieces of the interpreter.
pub(super) fn more(types: &mut Types, name: &str) -> TypeId {
    types.namesake(name)
}

/// The type of deques of a type that may get no longer than so much.
pub(super) fn limited(types: &mut Types, ty: TypeId, longest: u64) -> TypeId {
    let name = format!("{}(maxlen={longest})", types.name(ty));
    let of_library = types.of_library(ty).cloned();
    let limited = types.namesake(&name);
    types.note_bounded(limited);
    if let Some(of_library) = of_library {
        types.note_library(limited, of_library);
    }
    limited
}

/// How many slots instances of each type have, those of the types it is based on included.
pub(super) fn slots(bytes: &[u8], outline: &Outline) -> Vec<u32> {
    let own: Vec<u32> = outline
        .types
        .iter()
        .map(|ty| {
            let names = ty.slots.iter().map(|&(name, _)| outline.name(bytes, name));
            let fields = names.filter(|name| name != "__dict__" && name != "__weakref__");
            fields.count() as u32
        })
        .collect();
    let of_type = |ty: u32| {
        let of_classes = outline.lineage(ty).map(|class| own[class as usize]);
        of_classes.fold(0, u32::saturating_add)
    };
    (0..outline.types.len() as u32).map(of_type).collect()
}
