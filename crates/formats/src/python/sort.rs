//! What a row of the dump is.

use super::cursor::Cursor;
use crate::error::Malformed;

/// The sort of a row, by its number in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Sort {
    /// Any other object.
    #[default]
    Other,
    Str,
    Int,
    Float,
    List,
    Tuple,
    Dict,
    Set,
    Deque,
    Instance,
    Type,
    Module,
    Function,
    Code,
    Frame,
    Bytes,
    /// `array.array`.
    Numbers,
    Ndarray,
    View,
    Date,
    /// Keys that the instances of a class share.
    Keys,
    /// Blocks that no object shown owns.
    Blocks,
    OrderedDict,
    /// Which columns of a table an array has.
    Places,
}

impl Sort {
    pub(super) const ALL: [Self; 24] = [
        Self::Other,
        Self::Str,
        Self::Int,
        Self::Float,
        Self::List,
        Self::Tuple,
        Self::Dict,
        Self::Set,
        Self::Deque,
        Self::Instance,
        Self::Type,
        Self::Module,
        Self::Function,
        Self::Code,
        Self::Frame,
        Self::Bytes,
        Self::Numbers,
        Self::Ndarray,
        Self::View,
        Self::Date,
        Self::Keys,
        Self::Blocks,
        Self::OrderedDict,
        Self::Places,
    ];

    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Malformed> {
        let at = cursor.at;
        let number = cursor.u8()?;
        let sort = Self::ALL.get(usize::from(number)).copied();
        sort.ok_or_else(|| {
            let expected = format!("the sort of a row, below {}", Self::ALL.len());
            Malformed::new(at, expected, number.to_string())
        })
    }

    /// Whether it is a dictionary, of whatever class.
    pub(super) const fn is_dict(self) -> bool {
        matches!(self, Self::Dict | Self::OrderedDict)
    }

    /// Whether it has bytes, or looks on those of another.
    pub(super) const fn has_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Numbers | Self::Ndarray | Self::View)
    }

    /// Whether a program keeps its data in such objects.
    pub(super) const fn is_data(self) -> bool {
        !matches!(
            self,
            Self::Other
                | Self::Type
                | Self::Module
                | Self::Function
                | Self::Code
                | Self::Frame
                | Self::Keys
                | Self::Blocks
                | Self::Places
        )
    }
}
