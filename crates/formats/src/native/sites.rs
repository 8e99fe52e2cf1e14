//! Where in the program each block was asked for.

use deadweight_heap::churn::Role;
use deadweight_heap::{Lines, Site, SiteId, Sites, SourceLine};
use rustc_hash::FxHashMap;

use super::allocated::{Allocated, Passing, passing};
use super::demangle::is_wrapper;
use super::modules::{Modules, Owner};
use super::symbols::{Function, Symbols};
use super::{Dump, noted};
use crate::churn::{below, role};

/// What a stack says of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody knows.
    Unknown,
    /// The C library for itself: no frame of the program's or of a library that it uses, or a buffer of a stream.
    Runtime,
    /// A place of the program, or of a library; with which of [`Origins::allocated`] each block from there is.
    Site(SiteId, Option<u32>),
}

/// The origin of each stack that a block has.
pub struct Origins<'a> {
    dump: &'a Dump,
    modules: &'a Modules,
    symbols: Symbols,
    by_address: FxHashMap<u64, Frame>,
    ids: FxHashMap<Site, SiteId>,
    by_stack: FxHashMap<u32, Origin>,
    /// The sites found.
    pub sites: Sites,
    /// Their lines, as far as debug information has them.
    pub lines: Lines,
    /// The directory from which files are shown.
    root: &'a str,
    /// For each site that allocates arrays, the type of their values.
    pub elements: FxHashMap<SiteId, String>,
    /// Types of which blocks are one object each.
    pub allocated: Vec<Allocated>,
    allocated_ids: FxHashMap<Allocated, u32>,
}

/// The functions at an address.
#[derive(Clone)]
struct Frame {
    /// The first that is no wrapper.
    own: Option<Function>,
    /// What the wrappers before it show of what they allocate.
    passing: Passing,
}

impl<'a> Origins<'a> {
    /// For the stacks of a dump, which may itself name them. Files are shown as seen from `root`.
    pub fn new(dump: &'a Dump, modules: &'a Modules, root: &'a str) -> Self {
        let mut origins = Self {
            dump,
            modules,
            symbols: Symbols::default(),
            by_address: FxHashMap::default(),
            ids: FxHashMap::default(),
            by_stack: FxHashMap::default(),
            sites: Sites::default(),
            lines: Lines::default(),
            root,
            elements: FxHashMap::default(),
            allocated: Vec::new(),
            allocated_ids: FxHashMap::default(),
        };
        for (stack, noted_stack) in noted::stacks(dump.facts()) {
            let origin = match noted_stack {
                noted::Stack::Unknown => Origin::Unknown,
                noted::Stack::Runtime => Origin::Runtime,
                noted::Stack::Program(function, passing) => origins.site(function, passing),
            };
            origins.by_stack.insert(stack, origin);
        }
        origins
    }

    /// Where the blocks of a stack come from.
    pub fn of(&mut self, stack: u32) -> Origin {
        if let Some(&known) = self.by_stack.get(&stack) {
            return known;
        }
        let origin = self.find(stack);
        self.by_stack.insert(stack, origin);
        origin
    }

    /// The first frame of the program that is no wrapper; else its first frame; else a library's first.
    fn find(&mut self, stack: u32) -> Origin {
        let dump = self.dump;
        if dump.frames(stack).next().is_none() {
            return Origin::Unknown;
        }
        let mut wrapper = None;
        let mut library = None;
        let mut is_first = true;
        let mut allocates = Passing::On;
        for address in dump.frames(stack) {
            let module = self
                .modules
                .at(address.wrapping_sub(1))
                .map(|index| self.modules.get(index));
            match module.map(|module| module.owner) {
                // Code without a file was made at run time: the program's.
                Some(Owner::Program) | None => {
                    let frame = self.frame(address);
                    if goes_before(&allocates, &frame.passing) {
                        allocates = frame.passing;
                    }
                    if let Some(own) = frame.own {
                        return self.site(own, allocates);
                    }
                    wrapper = wrapper.or(Some(address));
                }
                Some(Owner::Library) => {
                    library = library.or(Some(address));
                    // What a library allocates is its own, whoever calls it.
                    if allocates == Passing::On {
                        allocates = Passing::Nothing;
                    }
                }
                Some(Owner::Runtime) => {
                    if is_first && self.is_stream(address) {
                        return Origin::Runtime;
                    }
                }
            }
            let is_recorder = module.is_some_and(|module| module.name().contains("deadweight_recorder"));
            is_first &= is_recorder;
        }
        match wrapper.or(library) {
            Some(address) => {
                let outermost = self.symbols.functions(self.modules, address).pop();
                outermost.map_or(Origin::Unknown, |function| self.site(function, allocates))
            }
            None => Origin::Runtime,
        }
    }

    /// The functions at an address, up to the first that is no wrapper.
    fn frame(&mut self, address: u64) -> Frame {
        if let Some(known) = self.by_address.get(&address) {
            return known.clone();
        }
        let mut frame = Frame {
            own: None,
            passing: Passing::On,
        };
        for function in self.symbols.functions(self.modules, address) {
            if !is_wrapper(&function.name) {
                frame.own = Some(function);
                break;
            }
            let shown = passing(&function.name);
            if goes_before(&frame.passing, &shown) {
                frame.passing = shown;
            }
        }
        self.by_address.insert(address, frame.clone());
        frame
    }

    fn site(&mut self, function: Function, allocates: Passing) -> Origin {
        let of_library = allocates.is_node();
        let allocated = match allocates {
            Passing::Type(allocated) | Passing::Node(allocated) => Some(allocated),
            Passing::On | Passing::Nothing => None,
        };
        let role = role(&function.file, self.root);
        let line = (function.line > 0 && role != Role::Runtime).then(|| SourceLine {
            file: below(&function.file, self.root),
            line: function.line,
            column: 0,
            name: function.name.clone(),
            role,
            through: String::new(),
        });
        let site = self.id(Site {
            function: function.name,
            location: function.location,
            allocates: allocated.as_ref().map(|allocated| allocated.name.clone()),
            of_library,
            element: None,
        });
        if let Some(element) = allocated
            .as_ref()
            .and_then(|allocated| allocated.elements.as_ref())
        {
            self.elements.entry(site).or_insert_with(|| element.clone());
        }
        if let Some(line) = line {
            let line = self.lines.add(line);
            self.lines.set_site(site, line);
        }
        let one = allocated.filter(|allocated| allocated.whole.is_some());
        Origin::Site(site, one.map(|allocated| self.allocated_id(allocated)))
    }

    fn allocated_id(&mut self, allocated: Allocated) -> u32 {
        let all = &mut self.allocated;
        *self
            .allocated_ids
            .entry(allocated)
            .or_insert_with_key(|allocated| {
                all.push(allocated.clone());
                (all.len() - 1) as u32
            })
    }

    /// Whether the C library's streams call from here.
    fn is_stream(&mut self, address: u64) -> bool {
        let functions = self.symbols.functions(self.modules, address);
        functions.iter().any(|function| is_of_streams(&function.name))
    }

    fn id(&mut self, site: Site) -> SiteId {
        let sites = &mut self.sites;
        *self
            .ids
            .entry(site)
            .or_insert_with_key(|site| sites.add(site.clone()))
    }
}

/// Whether what a caller shows says more of an allocation than what is known of it from inside. Nodes of containers are
/// allocated by way of what allocates anything, and by functions that each show a node.
fn goes_before(inside: &Passing, shown: &Passing) -> bool {
    *inside == Passing::On || shown.is_node() && !inside.is_node()
}

/// Whether a function is one of the C library's streams: glibc's debug information has the names that it uses inside.
fn is_of_streams(function: &str) -> bool {
    function
        .strip_prefix("__GI_")
        .unwrap_or(function)
        .starts_with("_IO_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_known_by_both_of_their_names() {
        assert!(is_of_streams("_IO_file_doallocate"));
        assert!(is_of_streams("__GI__IO_file_doallocate"));
        assert!(!is_of_streams("__GI___libc_malloc"));
        assert!(!is_of_streams("grow_IO_buffer"));
    }
}
