//! The strings by which V8 names its own pieces.

use deadweight_heap::Spans;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A name the file does not have.
const ABSENT: u32 = u32::MAX;

macro_rules! known {
    ($($field:ident = $text:literal,)*) => {
        const NAMES: &[&str] = &[$($text),*];

        /// Numbers of well-known strings in this file's table.
        #[derive(Debug)]
        pub(super) struct Known { $(pub $field: u32,)* }

        impl Known {
            /// Looks the names up in the table of strings.
            pub(super) fn find(bytes: &[u8], spans: &Spans) -> Self {
                let wanted: FxHashMap<&[u8], usize> =
                    [$($text.as_bytes()),*].into_iter().enumerate().map(|(i, text)| (text, i)).collect();
                // By first byte a bit for each length: of nearly all strings no more is looked at.
                let mut like = [0_u64; 256];
                for text in wanted.keys() {
                    like[usize::from(text[0])] |= length_bit(text.len());
                }
                // The table is de-duplicated by its writer; where one is not, the first wins.
                let hits: Vec<(usize, u32)> = (0..spans.len() as u32)
                    .into_par_iter()
                    .with_min_len(4096)
                    .filter_map(|id| {
                        let (start, len) = spans.get(id)?;
                        let text = bytes.get(start as usize..start as usize + len as usize)?;
                        let first = *text.first()?;
                        if like[usize::from(first)] & length_bit(text.len()) == 0 { return None }
                        wanted.get(text).map(|&name| (name, id))
                    })
                    .collect();
                let mut ids = vec![ABSENT; wanted.len()];
                for (name, id) in hits {
                    ids[name] = ids[name].min(id);
                }
                let mut ids = ids.into_iter();
                Self { $($field: ids.next().unwrap_or(ABSENT),)* }
            }
        }
    };
}

/// The bit of a length; all long ones share the last.
fn length_bit(len: usize) -> u64 {
    1 << len.min(63)
}

/// Whether the reader knows a piece by this name.
pub(super) fn is_known(text: &[u8]) -> bool {
    NAMES.iter().any(|name| name.as_bytes() == text)
}

known! {
    accessor_pair = "system / AccessorPair",
    array = "Array",
    arrays = "arrays",
    array_buffer = "ArrayBuffer",
    back_pointer = "back_pointer",
    backing_store = "backing_store",
    backing_data = "system / JSArrayBufferData",
    buffer = "buffer",
    buffers = "buffers",
    cell = "system / Cell",
    cons_one_byte = "system / Map (ConsOneByteString)",
    constructor = "constructor",
    context = "context",
    data_view = "DataView",
    date = "Date",
    descriptors = "descriptors",
    elements = "elements",
    external_strings = "(External strings)",
    first = "first",
    handle_scope = "(Handle scope)",
    hole = "system / Hole",
    internalized_strings = "(Internalized strings)",
    map = "map",
    map_node = "system / Map",
    memory = "Memory",
    module = "Module",
    name = "name",
    object = "Object",
    object_properties = "(object properties)",
    oddball = "system / Oddball",
    probe = "DeadweightProbe",
    properties = "properties",
    property_array = "system / PropertyArray",
    proto = "__proto__",
    prototype_info = "prototype_info",
    prototype_info_node = "system / PrototypeInfo",
    proxy = "system / JSProxy",
    scope = "system / Context",
    second = "second",
    line_ends = "(script line ends)",
    script = "script",
    script_contexts = "system / ScriptContextTable",
    script_or_debug_info = "script_or_debug_info",
    shared = "shared",
    sliced_one_byte = "system / Map (SlicedOneByteString)",
    shared_array_buffer = "SharedArrayBuffer",
    smi_number = "smi number",
    source_text_module = "system / SourceTextModule",
    stack_roots = "(Stack roots)",
    table = "table",
    tables = "tables",
    texts = "texts",
    transitions = "transitions",
    value = "value",
    weak_list = "system / WeakArrayList",
    views = "views",
}
