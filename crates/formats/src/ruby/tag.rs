//! What a row of the dump is, by its `type`, and for pieces of the interpreter by what they say of themselves.

use deadweight_heap::Kind;

/// The sort of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Root,
    Shape,
    Object,
    Struct,
    String,
    Array,
    Hash,
    Float,
    Bignum,
    Rational,
    Complex,
    Symbol,
    Regexp,
    Match,
    File,
    Class,
    Module,
    IncludedClass,
    /// An object with a C structure behind it.
    Data,
    /// `Time`.
    Time,
    /// `Proc`, `Method` and the like.
    Proc,
    /// A thread or fiber, whose references are the local variables of its frames; or the ractor that has the threads.
    Thread,
    /// The local variables a block captured.
    Environment,
    /// What methods and blocks run.
    Code,
    /// Method entries, caches, and what a later version may add.
    Internal,
}

impl Tag {
    /// Of the value of `type`.
    pub(super) fn of_type(name: &[u8]) -> Self {
        match name {
            b"ROOT" => Self::Root,
            b"SHAPE" => Self::Shape,
            b"OBJECT" => Self::Object,
            b"STRUCT" => Self::Struct,
            b"STRING" => Self::String,
            b"ARRAY" => Self::Array,
            b"HASH" => Self::Hash,
            b"FLOAT" => Self::Float,
            b"BIGNUM" => Self::Bignum,
            b"RATIONAL" => Self::Rational,
            b"COMPLEX" => Self::Complex,
            b"SYMBOL" => Self::Symbol,
            b"REGEXP" => Self::Regexp,
            b"MATCH" => Self::Match,
            b"FILE" => Self::File,
            b"CLASS" => Self::Class,
            b"MODULE" => Self::Module,
            b"ICLASS" => Self::IncludedClass,
            b"DATA" => Self::Data,
            _ => Self::Internal,
        }
    }

    /// Of a DATA row with that `struct`.
    pub(super) fn of_struct(name: &[u8]) -> Self {
        match name {
            b"time" => Self::Time,
            b"proc" | b"method" | b"binding" => Self::Proc,
            b"VM/thread" | b"thread" | b"fiber" | b"enumerator" | b"ractor" => Self::Thread,
            _ => Self::Data,
        }
    }

    /// Of an IMEMO row with that `imemo_type`.
    pub(super) fn of_imemo(name: &[u8]) -> Self {
        match name {
            b"env" => Self::Environment,
            b"iseq" => Self::Code,
            _ => Self::Internal,
        }
    }

    /// The neutral kind.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Object | Self::Struct => Kind::Record,
            Self::String => Kind::String,
            Self::Array => Kind::Array,
            Self::Hash => Kind::Table,
            Self::Float | Self::Bignum | Self::Rational | Self::Complex => Kind::Number,
            Self::Regexp | Self::Match | Self::File | Self::Data => Kind::Opaque,
            // A class is code with the constants and variables it holds.
            Self::Class | Self::Module | Self::Proc => Kind::Closure,
            Self::Root | Self::Thread | Self::Environment => Kind::Scope,
            Self::Time => Kind::Date,
            Self::Shape => Kind::Shape,
            Self::Symbol | Self::IncludedClass | Self::Code | Self::Internal => Kind::Runtime,
        }
    }
}
