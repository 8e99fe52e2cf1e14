//! Where objects were allocated: the sections `trace_function_infos` and `trace_tree`, which a process with tracking of
//! allocations writes.
//!
//! The tree has one row for each way of calls. A row names its function, and holds the rows of what that calls; a node
//! names the row that allocated it. Functions have the line where they begin, not the line of the call.

use std::ops::Range;

use deadweight_heap::NONE;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::meta::Meta;
use super::numbers::{NumberArray, cut, split};
use super::outline::Outline;
use super::rows::{self, Row, Sink};
use crate::error::Malformed;

/// Ways of calls that are deeper are no engine's: it records 64 calls at the most.
const DEEPEST: usize = 4096;

/// Where the numbers of a trace stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceFields {
    /// Of a node: the row of the tree that allocated it.
    pub of_node: usize,
    pub function_width: usize,
    pub function_name: usize,
    pub function_script: usize,
    pub function_line: usize,
    pub function_column: usize,
    pub tree_width: usize,
    pub tree_id: usize,
    pub tree_function: usize,
    pub tree_children: usize,
}

/// A function that allocates, or that calls one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Function {
    /// Strings of the file.
    pub name: u32,
    pub script: u32,
    /// From 1, 0 for what has no source.
    pub line: u32,
    pub column: u32,
}

/// A way of calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    id: u64,
    /// The way that leads to it, which stands before it, or [`NONE`].
    pub parent: u32,
    /// The function at its end, or [`NONE`] for one that the file does not have.
    pub function: u32,
}

/// What a file says of allocations.
#[derive(Debug)]
pub(super) struct Traces {
    pub functions: Vec<Function>,
    pub ways: Vec<Way>,
    /// By node the way on which it was allocated, or [`NONE`].
    pub of_node: Vec<u32>,
}

/// Reads them; `None` for a process without tracking.
pub(super) fn parse(
    bytes: &[u8],
    outline: &Outline,
    meta: &Meta,
    strings: usize,
) -> Result<Option<Traces>, Malformed> {
    let (Some(fields), Some(functions), Some(tree)) =
        (meta.traces, &outline.trace_functions, outline.trace_tree.clone())
    else {
        return Ok(None);
    };
    let functions = parse_functions(bytes, functions, fields, strings)?;
    if functions.is_empty() {
        return Ok(None);
    }
    let ways = parse_tree(bytes, tree, fields, functions.len())?;
    let ids: FxHashMap<u64, u32> = (0..).zip(&ways).map(|(at, way)| (way.id, at)).collect();
    let of_node = parse_nodes(bytes, &outline.nodes, meta, fields, &ids)?;
    Ok(Some(Traces {
        functions,
        ways,
        of_node,
    }))
}

struct Functions {
    fields: TraceFields,
    strings: u64,
    found: Vec<Function>,
}

impl Sink for Functions {
    fn take(&mut self, _: usize, numbers: &impl Row) -> Result<(), Malformed> {
        let string = |field: usize| {
            let string = numbers.number(field);
            if string < self.strings {
                return Ok(string as u32);
            }
            let expected = format!("the number of a string below {}", self.strings);
            Err(Malformed::new(numbers.offset(), expected, string.to_string()))
        };
        let place = |field: usize| u32::try_from(numbers.number(field)).unwrap_or_default();
        self.found.push(Function {
            name: string(self.fields.function_name)?,
            script: string(self.fields.function_script)?,
            line: place(self.fields.function_line),
            column: place(self.fields.function_column),
        });
        Ok(())
    }
}

fn parse_functions(
    bytes: &[u8],
    array: &NumberArray,
    fields: TraceFields,
    strings: usize,
) -> Result<Vec<Function>, Malformed> {
    let cut = cut(bytes, array, fields.function_width, "trace_function_infos")?;
    let mut functions = Functions {
        fields,
        strings: strings as u64,
        found: Vec::new(),
    };
    for piece in &cut.pieces {
        rows::read(bytes, piece, fields.function_width, &mut functions)?;
    }
    Ok(functions.found)
}

/// A list of rows that is being read.
struct List {
    parent: u32,
    /// The next field of its last row.
    field: usize,
}

fn parse_tree(
    bytes: &[u8],
    range: Range<usize>,
    fields: TraceFields,
    functions: usize,
) -> Result<Vec<Way>, Malformed> {
    let mut ways: Vec<Way> = Vec::new();
    let mut lists: Vec<List> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let bad = |expected: &str| Malformed::at(bytes, at, expected);
        match bytes[at] {
            b',' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            b'[' => {
                let parent = match lists.last() {
                    None => NONE,
                    Some(list) if list.field == fields.tree_children => ways.len() as u32 - 1,
                    Some(_) => return Err(bad("a number of trace_tree")),
                };
                if lists.len() >= DEEPEST {
                    return Err(bad("at most 4096 calls above one another"));
                }
                lists.push(List { parent, field: 0 });
                at += 1;
            }
            b']' => {
                let list = lists.pop().ok_or_else(|| bad("the list of trace_tree"))?;
                if list.field % fields.tree_width != 0 {
                    return Err(bad("the rest of a row of trace_tree"));
                }
                if let Some(list) = lists.last_mut() {
                    list.field += 1;
                }
                at += 1;
            }
            byte if byte.is_ascii_digit() => {
                let list = lists.last_mut().ok_or_else(|| bad("the list of trace_tree"))?;
                if list.field == fields.tree_width {
                    list.field = 0;
                }
                if list.field == fields.tree_children {
                    return Err(bad("the calls of a row of trace_tree"));
                }
                let digits = bytes[at..range.end]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit());
                let text = &bytes[at..at + digits.count()];
                let number = std::str::from_utf8(text)
                    .ok()
                    .and_then(|text| text.parse::<u64>().ok());
                let number = number.ok_or_else(|| bad("a number of at most 64 bits"))?;
                if list.field == 0 {
                    if ways.len() >= NONE as usize - 1 {
                        return Err(bad("fewer than 4,294,967,294 rows of trace_tree"));
                    }
                    ways.push(Way {
                        id: 0,
                        parent: list.parent,
                        function: NONE,
                    });
                }
                let way = ways.last_mut().ok_or_else(|| bad("a row of trace_tree"))?;
                if list.field == fields.tree_id {
                    way.id = number;
                } else if list.field == fields.tree_function {
                    if number >= functions as u64 {
                        return Err(bad("the number of a function of trace_function_infos"));
                    }
                    way.function = number as u32;
                }
                list.field += 1;
                at += text.len();
            }
            _ => return Err(bad("a number or a list of trace_tree")),
        }
    }
    Ok(ways)
}

/// The column of nodes that names ways.
struct OfNodes<'c> {
    field: usize,
    ids: &'c FxHashMap<u64, u32>,
    of_node: &'c mut [u32],
}

impl Sink for OfNodes<'_> {
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
        let way = self.ids.get(&numbers.number(self.field));
        self.of_node[row] = way.copied().unwrap_or(NONE);
        Ok(())
    }
}

fn parse_nodes(
    bytes: &[u8],
    array: &NumberArray,
    meta: &Meta,
    fields: TraceFields,
    ids: &FxHashMap<u64, u32>,
) -> Result<Vec<u32>, Malformed> {
    let cut = cut(bytes, array, meta.node_fields, "nodes")?;
    let mut of_node = vec![NONE; cut.rows];
    let parts: Vec<_> = split(&mut of_node, &cut.pieces)
        .into_iter()
        .zip(&cut.pieces)
        .collect();
    let read = parts.into_par_iter().map(|(of_node, piece)| {
        let mut column = OfNodes {
            field: fields.of_node,
            ids,
            of_node,
        };
        rows::read(bytes, piece, meta.node_fields, &mut column)
    });
    read.collect::<Result<(), Malformed>>()?;
    Ok(of_node)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: TraceFields = TraceFields {
        of_node: 5,
        function_width: 6,
        function_name: 1,
        function_script: 2,
        function_line: 4,
        function_column: 5,
        tree_width: 5,
        tree_id: 0,
        tree_function: 1,
        tree_children: 4,
    };

    fn tree(text: &str) -> Result<Vec<Way>, Malformed> {
        parse_tree(text.as_bytes(), 0..text.len(), FIELDS, 3)
    }

    #[test]
    fn a_way_knows_the_one_that_leads_to_it() {
        let ways = tree("[1,0,0,0,[2,1,5,80,[3,2,1,8,[]],\n4,2,0,0,[]]]").unwrap();
        let rows: Vec<(u64, u32, u32)> = ways
            .iter()
            .map(|way| (way.id, way.parent, way.function))
            .collect();
        assert_eq!(rows, [(1, NONE, 0), (2, 0, 1), (3, 1, 2), (4, 0, 2)]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for text in [
            "[1,0,0,[]]",
            "[1,0,0,0]",
            "[1,7,0,0,[]]",
            "[[]]",
            "[1,0,0,0,5]",
            "[1,0,0,0,[x]]",
            "5",
        ] {
            assert!(tree(text).is_err(), "{text}");
        }
        assert!(tree("[]").unwrap().is_empty());
    }
}
