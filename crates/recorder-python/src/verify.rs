//! Checks at load that objects are where `layout` says: on objects that the recorder made for it.

use crate::layout::{Layout, class, object};
use crate::raw::{Address, class_of, count, word};
use crate::tables::{Dict, Set};
use crate::texts::Texts;

/// What the recorder hands over: see `samples` in `recorders/python/deadweight_recorder_library.py`.
#[repr(C)]
pub struct Samples {
    /// `"deadweight"`, `"dé"`, `"dЖ"`, `"d😀"`.
    texts: [Address; 4],
    /// `["a", "b", "c"]`, the tuple of the same.
    list: Address,
    tuple: Address,
    /// `{"a": 1, "b": 2}`, `{1: "a"}`.
    text_keys: Address,
    any_keys: Address,
    /// `{"a", "b", "c", "d", "e", "f"}`.
    set: Address,
    /// -7 * 2**40.
    int: Address,
    /// A function `sample(first, second)` and its code object.
    function: Address,
    code: Address,
    /// A class by a statement, with the attributes `first` and `second`, and an instance with both.
    class: Address,
    instance: Address,
    /// `bytearray(b"deadweight")`.
    bytearray: Address,
}

/// The first thing that is not as it should be.
pub fn verify(layout: &Layout, samples: &Samples) -> Result<(), &'static str> {
    let texts = Texts::new(*layout);
    let expect = |is_so: bool, what: &'static str| if is_so { Ok(()) } else { Err(what) };
    for (at, expected) in samples.texts.iter().zip(["deadweight", "dé", "dЖ", "d😀"]) {
        expect(
            texts.utf8(*at).as_deref() == Some(expected.as_bytes()),
            "the characters of a str",
        )?;
    }
    // SAFETY: the samples are objects of the types named above.
    unsafe {
        let item = |at: Address, index: usize| texts.utf8(word(at + index * 8));
        let items = word(samples.list + object::LIST_ITEMS);
        let room = word(samples.list + object::LIST_ROOM);
        expect(
            count(samples.list) == 3 && (3..=8).contains(&room) && item(items, 2).as_deref() == Some(b"c"),
            "the items of a list",
        )?;
        expect(
            count(samples.tuple) == 3 && item(samples.tuple + layout.tuple_items, 1).as_deref() == Some(b"b"),
            "the items of a tuple",
        )?;
        for (at, used, only_texts) in [(samples.text_keys, 2, true), (samples.any_keys, 1, false)] {
            let dict = Dict::read(layout, at);
            let keys = dict.keys;
            let is_text = texts.utf8(if only_texts { keys.key(0) } else { dict.value(0) });
            expect(
                dict.used == used
                    && keys.entries == used
                    && (layout.minor <= 10 || keys.only_texts == only_texts)
                    && (5..=8).contains(&keys.room)
                    && is_text.as_deref() == Some(b"a"),
                "the keys and values of a dict",
            )?;
        }
        let set = Set::read(samples.set);
        expect(
            set.used == 6 && set.is_apart && set.items().count() == 6,
            "the items of a set",
        )?;
        let length = if layout.minor < 12 {
            count(samples.int)
        } else {
            word(samples.int + 16).cast_signed()
        };
        let expected = if layout.minor < 12 { -2 } else { 2 << 3 | 2 };
        expect(length == expected, "the digits of an int")?;
        let code = layout.function.iter().find(|(name, _)| *name == "__code__");
        expect(
            code.is_some_and(|(_, offset)| word(samples.function + offset) == samples.code),
            "the code of a function",
        )?;
        expect(
            texts.utf8(word(samples.code + layout.code_name)).as_deref() == Some(b"sample"),
            "the name of a code object",
        )?;
        let variables = word(samples.code + layout.code_variables);
        expect(
            count(variables) == 2 && item(variables + layout.tuple_items, 1).as_deref() == Some(b"second"),
            "the variables of a code object",
        )?;
        expect(
            word(samples.class + class::FLAGS) & class::HEAP_TYPE != 0
                && texts.utf8(word(samples.class + layout.heap_name)).as_deref() == Some(b"Sample")
                && class_of(samples.instance) == samples.class
                && word(samples.class + layout.heap_keys) != 0,
            "the fields of a class",
        )?;
        let block = word(samples.bytearray + object::BYTEARRAY_START);
        expect(
            crate::raw::bytes(block, 10) == b"deadweight",
            "the bytes of a bytearray",
        )?;
    }
    Ok(())
}
