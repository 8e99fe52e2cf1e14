//! Every rule, in the ledger's order: whole objects that vanish first, then what is left is reshaped.

use std::sync::LazyLock;

use deadweight_weighing::{Page, Rulebook};

use crate::{ChurnRule, Rule};

mod a01_allocator;
mod c01_empty;
mod c02_slots;
mod c03_capacity;
mod c04_single;
mod c05_nested;
mod c06_rare_fields;
mod c07_nodes;
mod d01_strings;
mod d02_buffers;
mod d03_records;
mod e01_zeros;
mod l01_shapes;
mod l02_dictionaries;
mod l03_boxes;
mod l04_buffers;
mod l05_constants;
mod l06_columns;
mod l07_open_records;
mod l08_codes;
mod l09_locks;
mod r01_slices;
mod r02_ropes;
mod r03_second_cache;
mod t01_scratch;
mod t02_empty;
mod t03_thrown_away;
mod t04_constants;
mod t05_logs;

/// Every rule, in the order in which the ledger settles claims.
#[must_use]
pub fn all() -> Vec<&'static dyn Rule> {
    vec![
        &r03_second_cache::SecondCache,
        &e01_zeros::Zeros,
        &d02_buffers::EqualBuffers,
        &r01_slices::Slices,
        &r02_ropes::Ropes,
        &l08_codes::Codes,
        &d03_records::EqualRecords,
        &c01_empty::Empty,
        &c04_single::SingleEntries,
        &d01_strings::EqualStrings,
        &l03_boxes::Boxes,
        &l09_locks::Locks,
        &l04_buffers::TinyBuffers,
        &l02_dictionaries::DictionaryRecords,
        &l07_open_records::OpenRecords,
        &l01_shapes::ShapePerObject,
        &l05_constants::ConstantFields,
        &c02_slots::Slots,
        &c06_rare_fields::RareFields,
        &c07_nodes::Nodes,
        &c03_capacity::Capacity,
        &l06_columns::Columns,
        &c05_nested::NestedArrays,
        &a01_allocator::Overhead,
    ]
}

/// Every rule about what is made and thrown away, in the order in which their ledger settles claims: what goes with a
/// whole line first, then what would be made once, then what would be reused.
#[must_use]
pub fn churn() -> Vec<&'static dyn ChurnRule> {
    vec![
        &t05_logs::Logs,
        &t03_thrown_away::ThrownAway,
        &t04_constants::Constants,
        &t02_empty::EmptyPerCall,
        &t01_scratch::Scratch,
    ]
}

/// The pages of all rules, which are the head comments of their files.
#[must_use]
pub fn rulebook() -> &'static Rulebook {
    static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| {
        let held = all().into_iter().map(|rule| (rule.code(), rule.source()));
        let churned = churn().into_iter().map(|rule| (rule.code(), rule.source()));
        Rulebook::new(
            held.chain(churned)
                .map(|(code, source)| Page::of_source(code, source)),
        )
    });
    &RULEBOOK
}

/// The rule about what is held of that code, in upper or lower case.
#[must_use]
pub fn find(code: &str) -> Option<&'static dyn Rule> {
    all()
        .into_iter()
        .find(|rule| rule.code().0.eq_ignore_ascii_case(code))
}
