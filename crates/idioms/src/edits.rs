//! Edits of the source for findings about what is held: by the class and the field that a finding names.
//!
//! A class is found by its name, and only if the file has one class of that name. An edit is offered only if it reaches every
//! place where the class's own code gives the field its value.

mod class;
mod fixed_fields;
mod hunks;
mod intern;
mod lazy;
mod literal;
mod statement;
mod typed;

use crate::Language;
use crate::source::Source;

pub use hunks::Replaced;
pub use literal::Fields;

/// What a finding asks of the source.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// Keep one object for all equal texts of a field.
    Intern {
        /// The class, as heaps name it: `app.rows.Row`, `Shop::Row`.
        class: &'f str,
        /// The field, as the class's code writes it behind its object.
        field: &'f str,
    },
    /// Keep one object for all equal texts of a field of the records that one literal makes.
    InternEntry {
        /// The fields of the literal.
        fields: Fields<'f>,
        /// The one with the texts.
        field: &'f str,
    },
    /// Make the records of one literal instances of a class.
    Class {
        /// The fields of the literal.
        fields: Fields<'f>,
    },
    /// Make a container that a class keeps in a field when it is first asked for.
    MakeLater {
        /// The class.
        class: &'f str,
        /// The field.
        field: &'f str,
    },
    /// Say in the class which fields its records have.
    FixFields {
        /// The class.
        class: &'f str,
        /// The fields that were seen.
        fields: &'f [&'f str],
    },
}

/// What an edit claims beyond the lines that it changes. Two that claim the same do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Which fields a class has, by the line, from 1, at which it begins.
    AllFields(u32),
    /// One field of a class. Others of the class may be claimed beside it.
    OneField(u32),
    /// A name that it adds to the file.
    Name(String),
}

impl Claim {
    /// Whether another edit can claim the other.
    #[must_use]
    pub fn goes_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::AllFields(class), Self::AllFields(other) | Self::OneField(other))
            | (Self::OneField(class), Self::AllFields(other)) => class != other,
            (Self::Name(name), Self::Name(other)) => name != other,
            _ => true,
        }
    }
}

/// An edit of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceEdit {
    /// What is replaced, from the top down.
    pub hunks: Vec<Replaced>,
    /// What has to hold for the program to do the same, each going on from "only if".
    pub conditions: Vec<String>,
    /// What of the file it claims beyond the lines it changes.
    pub claims: Option<Claim>,
}

/// How a file would read; nothing where its code is not of a form that is known.
#[must_use]
pub fn edit(text: &str, language: Language, change: Change<'_>) -> Option<SourceEdit> {
    let source = Source::parse(text, language)?;
    match change {
        Change::Intern { class, field } => intern::edit(&source, class, field),
        Change::InternEntry { fields, field } => intern::of_literal(&source, fields, field),
        Change::Class { fields } => typed::edit(&source, fields),
        Change::MakeLater { class, field } => lazy::edit(&source, class, field),
        Change::FixFields { class, fields } => fixed_fields::edit(&source, class, fields),
    }
}

/// The line, from 1, at which the one class of that name begins; nothing where a text has none or several.
#[must_use]
pub fn class_line(text: &str, language: Language, name: &str) -> Option<u32> {
    let source = Source::parse(text, language)?;
    let class = class::class(&source, name)?;
    let name = class.child_by_field_name("name")?;
    Some(name.start_position().row as u32 + 1)
}

#[cfg(test)]
mod programs;
#[cfg(test)]
mod tests;
