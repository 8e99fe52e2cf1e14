//! What programs of a runtime write to get what a rule has priced, where another way comes to mind first and costs more.

/// Such words, for the fixes that rules advise: a rule knows the price and the runtime what is called so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// Where a class says which fields its records have, so that these are of a fixed shape. `None` where every class does.
    pub fields: Option<&'static str>,
    /// How a class says there that it adds no field.
    pub no_fields: Option<&'static str>,
    /// What stands there for a place for weak references.
    pub weak_place: Option<&'static str>,
    /// Where pairs of an index and a value stand side by side, in place of what people think of first.
    pub pairs: Option<&'static str>,
    /// What makes a number a small integer that needs no box. `None` where every whole number of that size is one.
    pub small_integer: Option<&'static str>,
    /// How to compute a whole number so that its object has no room left. `None` where none ever has.
    pub tight_number: Option<&'static str>,
}
