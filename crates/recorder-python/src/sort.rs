//! Sorts of rows, and which types have which.

use std::ffi::CStr;

/// Sorts of rows, by their numbers in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sort {
    Other = 0,
    Str = 1,
    Int = 2,
    Float = 3,
    List = 4,
    Tuple = 5,
    Dict = 6,
    Set = 7,
    Deque = 8,
    Instance = 9,
    Type = 10,
    Module = 11,
    Function = 12,
    Code = 13,
    Frame = 14,
    Bytes = 15,
    Array = 16,
    Numpy = 17,
    View = 18,
    Date = 19,
    SharedKeys = 20,
    Unowned = 21,
    OrderedDict = 22,
    Places = 23,
}

/// Which of the sorts that several types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    None,
    Frozen,
    Mutable,
    DateTime,
    Date,
    Time,
    Delta,
    ManagedBuffer,
    Generator,
}

/// Exported type objects of a sort of their own.
pub const EXPORTED: [(&CStr, Sort, Variant); 16] = [
    (c"PyUnicode_Type", Sort::Str, Variant::None),
    (c"PyLong_Type", Sort::Int, Variant::None),
    (c"PyFloat_Type", Sort::Float, Variant::None),
    (c"PyList_Type", Sort::List, Variant::None),
    (c"PyTuple_Type", Sort::Tuple, Variant::None),
    (c"PyDict_Type", Sort::Dict, Variant::None),
    (c"PySet_Type", Sort::Set, Variant::None),
    (c"PyFrozenSet_Type", Sort::Set, Variant::Frozen),
    (c"PyType_Type", Sort::Type, Variant::None),
    (c"PyModule_Type", Sort::Module, Variant::None),
    (c"PyFunction_Type", Sort::Function, Variant::None),
    (c"PyCode_Type", Sort::Code, Variant::None),
    (c"PyFrame_Type", Sort::Frame, Variant::None),
    (c"PyBytes_Type", Sort::Bytes, Variant::None),
    (c"PyByteArray_Type", Sort::Bytes, Variant::Mutable),
    (c"PyMemoryView_Type", Sort::View, Variant::None),
];

/// Types that are known by the names they give themselves.
pub const NAMED: [(&[u8], Sort, Variant); 17] = [
    (b"collections.deque", Sort::Deque, Variant::None),
    (b"collections.OrderedDict", Sort::OrderedDict, Variant::None),
    (b"collections.defaultdict", Sort::Dict, Variant::None),
    (b"array.array", Sort::Array, Variant::None),
    (b"numpy.ndarray", Sort::Numpy, Variant::None),
    (
        b"pandas._libs.internals.BlockPlacement",
        Sort::Places,
        Variant::None,
    ),
    (b"managedbuffer", Sort::Other, Variant::ManagedBuffer),
    (b"datetime.datetime", Sort::Date, Variant::DateTime),
    (b"datetime.date", Sort::Date, Variant::Date),
    (b"datetime.time", Sort::Date, Variant::Time),
    (b"datetime.timedelta", Sort::Date, Variant::Delta),
    (b"generator", Sort::Other, Variant::Generator),
    (b"coroutine", Sort::Other, Variant::Generator),
    (b"async_generator", Sort::Other, Variant::Generator),
    // Their own names, in versions in which the module is compiled without its name.
    (b"OrderedDict", Sort::OrderedDict, Variant::None),
    (b"deque", Sort::Deque, Variant::None),
    (b"defaultdict", Sort::Dict, Variant::None),
];
