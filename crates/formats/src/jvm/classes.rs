//! Classes: what each declares and inherits, and whose they are.

use deadweight_heap::Representation;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::cursor::{OBJECT, type_bytes, word, word_at};
use super::known::{KnownClasses, Role};
use super::names::class_name;
use super::others::Containers;
use super::outline::Outline;
use super::segments::{ClassDump, Declared, class_of_instance, sub};

/// The type of whole numbers of four bytes.
const INT: u8 = 10;

/// More classes above one another than any program has; a broken file may make a ring.
const DEEPEST: usize = 256;

/// Loaders of what came with the runtime, beside the one that is none.
const LOADERS: [&str; 5] = [
    "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
    "jdk.internal.loader.ClassLoaders$BootClassLoader",
    "jdk.internal.reflect.DelegatingClassLoader",
    "sun.misc.Launcher$ExtClassLoader",
    "sun.reflect.DelegatingClassLoader",
];

/// A field of the instances of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldAt {
    /// The id of its name.
    pub(super) name: u64,
    pub(super) ty: u8,
    /// Where it stands in an instance's values.
    pub(super) offset: u32,
    /// The class that declares it.
    pub(super) by: u32,
}

/// A reference of the instances of a class that keeps something alive or names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceAt {
    pub(super) name: u64,
    pub(super) offset: u32,
    pub(super) by: u32,
    pub(super) is_weak: bool,
    /// Whether a container of another library has it for itself.
    pub(super) is_internal: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) superclass: Option<u32>,
    pub(super) loader: u64,
    /// Whether it came with the runtime.
    pub(super) is_library: bool,
    pub(super) role: Role,
    /// Whether the role is the class's own, and not one that it extends.
    pub(super) is_exact: bool,
    pub(super) statics: Vec<Declared>,
    /// All fields, those of the root of its classes first.
    pub(super) fields: Vec<FieldAt>,
    pub(super) references: Vec<ReferenceAt>,
    /// Bytes of an instance's values in the file.
    pub(super) bytes: u32,
    /// The number of the class among those that are known, whose role it has; 0 for a record.
    pub(super) known: u16,
    /// The class whose role it has, where that is a container of another library than the JDK.
    pub(super) container: Option<u32>,
    /// Where the fields stand that its role needs.
    pub(super) slots: [Option<u32>; SLOTS],
}

/// The most fields that a role needs.
pub(super) const SLOTS: usize = 12;

impl Class {
    /// Whether its instances are containers of another library than the JDK.
    pub(super) const fn is_foreign(&self) -> bool {
        self.container.is_some()
    }
}

#[derive(Debug)]
pub(super) struct Classes {
    /// All that the file has; the last stands for those it lacks.
    pub(super) all: Vec<Class>,
    by_id: FxHashMap<u64, u32>,
    /// Names of fields, by their ids.
    names: FxHashMap<u64, String>,
    pub(super) known: KnownClasses,
    /// Whether any has a table with its keys and its values in an array each.
    pub(super) has_open: bool,
    /// Whether any has a list of arrays.
    pub(super) has_nested: bool,
}

impl Classes {
    pub(super) fn new(
        dumps: Vec<ClassDump>,
        outline: &Outline,
        bytes: &[u8],
        addresses: &Addresses,
        containers: &Containers,
    ) -> Self {
        let mut by_id = FxHashMap::default();
        let mut own = Vec::new();
        let mut all = Vec::new();
        for dump in dumps {
            if by_id.contains_key(&dump.id) {
                continue;
            }
            by_id.insert(dump.id, all.len() as u32);
            let name = outline.class_names.get(&dump.id);
            let name = name.map_or_else(String::new, |&name| outline.name(bytes, name));
            all.push(Class {
                id: dump.id,
                name: class_name(&name),
                loader: dump.loader,
                statics: dump.statics,
                ..Class::default()
            });
            own.push((dump.fields, dump.superclass));
        }
        all.push(Class {
            name: "(unknown class)".to_owned(),
            ..Class::default()
        });
        own.push((Vec::new(), 0));
        let fields = own.iter().flat_map(|(fields, _): &(Vec<Declared>, u64)| fields);
        let statics = all.iter().flat_map(|class: &Class| &class.statics);
        let named: FxHashSet<u64> = fields.chain(statics).map(|of| of.name).collect();
        let names = named
            .into_iter()
            .map(|id| (id, outline.name(bytes, id)))
            .collect();
        let known = KnownClasses::of(all.iter().map(|class| class.name.as_str()), containers);
        let mut classes = Self {
            all,
            by_id,
            names,
            known,
            has_open: false,
            has_nested: false,
        };
        for (class, own) in classes.all.iter_mut().zip(&own) {
            class.superclass = classes.by_id.get(&own.1).copied();
        }
        for class in 0..classes.all.len() {
            classes.complete(class, &own, outline.id_bytes);
        }
        classes.has_open = classes
            .all
            .iter()
            .any(|class| matches!(class.role, Role::Open(_)));
        classes.has_nested = classes.all.iter().any(|class| class.role == Role::Nested);
        classes.note_library(bytes, addresses, outline.id_bytes);
        classes
    }

    /// The number of a class.
    #[inline]
    pub(super) fn of(&self, id: u64) -> u32 {
        self.by_id.get(&id).copied().unwrap_or(self.all.len() as u32 - 1)
    }

    /// The class of that name which came with the runtime.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        let found = self
            .all
            .iter()
            .position(|class| class.name == name && class.is_library);
        found.map(|class| class as u32)
    }

    /// A class and all that it extends.
    pub(super) fn chain(&self, class: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |&class: &u32| self.all[class as usize].superclass;
        std::iter::successors(Some(class), next).take(DEEPEST)
    }

    fn complete(&mut self, class: usize, own: &[(Vec<Declared>, u64)], id_bytes: usize) {
        let names = |id: u64| self.name(id);
        let chain: Vec<u32> = self.chain(class as u32).collect();
        let mut offset = 0;
        let mut layers = Vec::new();
        for &by in &chain {
            let mut layer = Vec::new();
            for field in &own[by as usize].0 {
                layer.push(FieldAt {
                    name: field.name,
                    ty: field.ty,
                    offset,
                    by,
                });
                offset += type_bytes(field.ty, id_bytes).unwrap_or(0) as u32;
            }
            layers.push(layer);
        }
        let mut known: Vec<(u32, u16)> = chain
            .iter()
            .filter_map(|&of| Some((of, self.known.find(&self.all[of as usize].name)?)))
            .collect();
        // A date with fields of its own, such as nanoseconds, is more than its moment.
        if let Some(&(of, number)) = known.first()
            && self.known.get(number).role == Role::Date
        {
            let above: Vec<u32> = self.chain(of).collect();
            if layers.iter().flatten().any(|field| !above.contains(&field.by)) {
                known.clear();
            }
        }
        let fields: Vec<FieldAt> = layers.into_iter().rev().flatten().collect();
        // A class may declare a field of a name that one above it has: a weak map's entry has its own `next`.
        let at = |of: u32, wanted: &str| {
            let above: Vec<u32> = self.chain(of).collect();
            let mut declared = fields.iter().filter(|field| above.contains(&field.by));
            declared.rfind(|field| names(field.name) == wanted)
        };
        // Other versions of a library may have other fields.
        known.retain(|&(of, number)| {
            let known = self.known.get(number);
            let mut wanted = known
                .fields
                .iter()
                .enumerate()
                .filter(|(_, name)| !name.is_empty());
            !known.is_foreign
                || wanted.all(|(slot, name)| {
                    let is_count = slot == 1 && !matches!(known.role, Role::Node | Role::Nested);
                    let ty = if is_count { INT } else { OBJECT };
                    // Keys and values of nodes may be numbers.
                    at(of, name).is_some_and(|field| field.ty == ty || known.role == Role::Node && slot < 2)
                })
        });
        let mut links = FxHashSet::default();
        let mut referent = None;
        for &(of, number) in &known {
            let known = self.known.get(number);
            let declares =
                |field: &&FieldAt, name: &str| names(field.name) == name && chain.contains(&field.by);
            let above: Vec<u32> = self.chain(of).collect();
            for link in &known.links {
                let found = fields
                    .iter()
                    .find(|field| above.contains(&field.by) && declares(field, link));
                links.extend(found.map(|field| field.offset));
            }
            if known.role == Role::Weak {
                let found = fields.iter().find(|field| declares(field, "referent"));
                referent = found.map(|field| field.offset);
            }
        }
        let mut slots = [None; SLOTS];
        let of_role = known
            .first()
            .map(|&(of, number)| (of, number, self.known.get(number)));
        let wanted = of_role.map_or(&[][..], |(.., known)| &known.fields);
        for (slot, wanted) in slots
            .iter_mut()
            .zip(wanted)
            .filter(|(_, wanted)| !wanted.is_empty())
        {
            // A key or a value that is a number refers to nothing.
            let refers =
                |field: &&FieldAt| of_role.is_none_or(|(.., of)| of.role != Role::Node) || field.ty == OBJECT;
            let of = of_role.map_or(class as u32, |(of, ..)| of);
            *slot = at(of, wanted).filter(refers).map(|field| field.offset);
        }
        let is_piece = |role| matches!(role, Role::Node | Role::View);
        let container = of_role.filter(|(.., known)| known.is_foreign && !is_piece(known.role));
        let container = container.map(|(of, ..)| of);
        let own: Vec<u32> = container.into_iter().flat_map(|of| self.chain(of)).collect();
        let references = fields
            .iter()
            .filter(|field| field.ty == OBJECT && !links.contains(&field.offset))
            .map(|field| ReferenceAt {
                name: field.name,
                offset: field.offset,
                by: field.by,
                is_weak: referent == Some(field.offset),
                is_internal: own.contains(&field.by),
            })
            .collect();
        let (role, number) = of_role.map_or((Role::Record, 0), |(_, number, known)| (known.role, number));
        let is_exact = chain.first() == Some(&of_role.map_or(0, |(of, ..)| of));
        let class = &mut self.all[class];
        class.known = number;
        class.container = container;
        class.role = role;
        class.is_exact = is_exact;
        class.fields = fields;
        class.references = references;
        class.bytes = offset;
        class.slots = slots;
    }

    /// Notes what came with the runtime: classes without a loader, and those of the platform's own. Where the platform's
    /// loader is not known by its class, nobody's class is taken for the library's but those without one.
    fn note_library(&mut self, bytes: &[u8], addresses: &Addresses, id_bytes: usize) {
        for class in &mut self.all {
            class.is_library = class.loader == 0 && class.id != 0;
        }
        let mut loaders: FxHashSet<u64> = self.all.iter().map(|class| class.loader).collect();
        loaders.retain(|&id| {
            let Some(at) = addresses.row(id).map(|row| addresses.at(row)) else {
                return false;
            };
            let class = word_at(bytes, class_of_instance(at, id_bytes), id_bytes);
            bytes.get(at) == Some(&sub::INSTANCE)
                && LOADERS.contains(&self.all[self.of(class) as usize].name.as_str())
        });
        loaders.remove(&0);
        for class in &mut self.all {
            class.is_library |= class.id != 0 && loaders.contains(&class.loader);
        }
    }

    /// The name of a field.
    pub(super) fn name(&self, id: u64) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// The ids of all names of fields.
    pub(super) fn name_ids(&self) -> impl Iterator<Item = (u64, &str)> + '_ {
        self.names.iter().map(|(&id, name)| (id, name.as_str()))
    }

    /// Where the value of a static field stands.
    pub(super) fn static_at(&self, class: u32, name: &str) -> Option<usize> {
        let statics = &self.all[class as usize].statics;
        let found = statics.iter().find(|of| self.name(of.name) == name);
        found.map(|of| of.at)
    }
}

/// How wide a field of a type is, and what it holds.
pub(super) const fn representation(ty: u8) -> Representation {
    match ty {
        4 => Representation::Boolean,
        5 => Representation::Unsigned(2),
        6 => Representation::Float(4),
        7 => Representation::Float(8),
        8 => Representation::Integer(1),
        9 => Representation::Integer(2),
        10 => Representation::Integer(4),
        11 => Representation::Integer(8),
        _ => Representation::Reference,
    }
}

/// A whole number with a sign, of so many bytes at a place.
pub(super) fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len().clamp(1, 8);
    (word(bytes) << unused).cast_signed() >> unused
}
