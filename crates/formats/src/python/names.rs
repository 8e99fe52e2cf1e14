//! Names by which the reader knows attributes.

use super::outline::Outline;

/// The numbers of names that mean something to the reader; a dump may lack each.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) dict: Option<u32>,
    pub(super) globals: Option<u32>,
    pub(super) code: Option<u32>,
    pub(super) closure: Option<u32>,
    pub(super) defaults: Option<u32>,
    pub(super) keyword_defaults: Option<u32>,
    pub(super) qualified: Option<u32>,
    /// What a `memoryview` looks on, and what an array's data belong to.
    pub(super) object: Option<u32>,
    pub(super) base: Option<u32>,
    /// What a `defaultdict` makes the values of absent keys by.
    pub(super) default_factory: Option<u32>,
    /// Whether each name is one of the language's own: two underscores at both ends.
    is_special: Vec<bool>,
}

impl Names {
    pub(super) fn of(bytes: &[u8], outline: &Outline) -> Self {
        let mut names = Self::default();
        for (number, span) in (0..).zip(&outline.names) {
            let text = bytes.get(span.clone()).unwrap_or_default();
            names.is_special.push(is_special(text));
            let place = match text {
                b"__dict__" => &mut names.dict,
                b"__globals__" => &mut names.globals,
                b"__code__" => &mut names.code,
                b"__closure__" => &mut names.closure,
                b"__defaults__" => &mut names.defaults,
                b"__kwdefaults__" => &mut names.keyword_defaults,
                b"__qualname__" => &mut names.qualified,
                b"obj" => &mut names.object,
                b"base" => &mut names.base,
                b"default_factory" => &mut names.default_factory,
                _ => continue,
            };
            place.get_or_insert(number);
        }
        names
    }

    /// The numbers of these names.
    pub(super) fn known(&self) -> impl Iterator<Item = u32> {
        let own = [self.dict, self.globals, self.code, self.closure];
        let more = [
            self.defaults,
            self.keyword_defaults,
            self.qualified,
            self.object,
            self.base,
            self.default_factory,
        ];
        own.into_iter().chain(more).flatten()
    }

    /// Whether a name is one of the language's own.
    pub(super) fn is_special(&self, name: u32) -> bool {
        self.is_special.get(name as usize).is_some_and(|&is| is)
    }
}

/// The same for a text.
pub(super) fn is_special(text: &[u8]) -> bool {
    text.len() > 4 && text.starts_with(b"__") && text.ends_with(b"__")
}
