//! Numbers of nodes and edges that are none, lead nowhere or are beyond any machine.

use crate::crafted::{Crafted, Style, program};
use crate::{fails, weighed};

#[test]
fn edge_counts_of_nodes_must_add_up() {
    let mut made = Crafted::default();
    let root = made.node("synthetic", "", 0);
    let other = made.node("object", "A", 32);
    made.edge(root, "element", "1", other);
    let text = made.write(&Style::default());
    for lie in ["0", "2", "4294967295", "4294967296", "9999999999999999999"] {
        let lying = text.replacen("9,0,0,0,1,0", &format!("9,0,0,0,{lie},0"), 1);
        assert_ne!(lying, text);
        fails(lying, None, "edges");
    }
}

/// A file of two nodes and one edge, with one number replaced.
fn tiny(nodes: &str, edges: &str) -> String {
    let mut made = Crafted::default();
    let root = made.node("synthetic", "", 0);
    let other = made.node("object", "A", 32);
    made.edge(root, "property", "A", other);
    let text = made.write(&Style::default());
    let text = text.replace("9,0,0,0,1,0\n,3,1,1,32,0,0\n", nodes);
    text.replace("[2,1,6\n]", &format!("[{edges}]"))
}

const NODES: &str = "9,0,0,0,1,0,3,1,1,32,0,0";
const EDGES: &str = "2,1,6";

#[test]
fn indices_out_of_range_are_reported() {
    assert!(weighed(tiny(NODES, EDGES).as_bytes()).is_ok());
    fails(
        tiny("15,0,0,0,1,0,3,1,1,32,0,0", EDGES),
        None,
        "a node type below 15",
    );
    fails(
        tiny("9,2,0,0,1,0,3,1,1,32,0,0", EDGES),
        None,
        "the number of a string below 2",
    );
    fails(tiny(NODES, "7,1,6"), None, "an edge type below 7");
    fails(tiny(NODES, "2,2,6"), None, "the number of a string below 2");
    fails(
        tiny(NODES, "2,1,12"),
        None,
        "the place of a node: a multiple of 6 below 12",
    );
    fails(
        tiny(NODES, "2,1,5"),
        None,
        "the place of a node: a multiple of 6 below 12",
    );
    fails(
        tiny(NODES, "2,1,9999999999999999999"),
        None,
        "the place of a node",
    );
    let text = tiny(NODES, "2,2,6");
    fails(&text, Some(text.find("2,2,6").unwrap()), "found 2");
}

#[test]
fn what_is_no_whole_number_is_reported() {
    for bad in [
        "-1", "1.5", "1e3", "x", "null", "\"3\"", "", "1 2", "0x1", "+1", "NaN", "{}",
    ] {
        fails(tiny(&NODES.replace("32", bad), EDGES), None, "a whole number");
        fails(tiny(NODES, &format!("2,1,{bad}")), None, "a whole number");
    }
    let long = tiny(&NODES.replace("32", "18446744073709551615"), EDGES);
    fails(
        &long,
        long.find("18446744073709551615"),
        "a whole number of at most 19 digits",
    );
    fails(
        tiny("9,0,0,0,1,0,3,1,1,32,0", EDGES),
        None,
        "a multiple of 6 numbers in nodes",
    );
    fails(
        tiny(&format!("{NODES},"), EDGES),
        None,
        "a multiple of 6 numbers in nodes",
    );
    fails(tiny(NODES, "2,1"), None, "a multiple of 3 numbers in edges");
}

#[test]
fn sizes_beyond_any_machine_are_reported() {
    fails(
        tiny(&NODES.replace("32", "9999999999999999999"), EDGES),
        None,
        "sizes that add up to",
    );
    let heap = weighed(tiny(&NODES.replace("32", "4294967296"), EDGES).as_bytes()).unwrap();
    assert_eq!(heap.bytes(1), 1 << 32);
    let heap = weighed(tiny(&NODES.replace("32", "4294967295"), EDGES).as_bytes()).unwrap();
    assert_eq!(heap.bytes(1), (1 << 32) - 1);
}

#[test]
fn counts_from_large_sizes_do_not_overflow() {
    let mut made = program(8);
    let huge = 1_u64 << 49;
    let it = made.node("object", "Object", huge);
    let store = made.node("hidden", "system / PropertyArray", huge);
    made.edge(it, "internal", "properties", store);
    made.edge(5, "context", "huge", it);
    let array = made.node("object", "Array", huge);
    let elements = made.node("array", "(object elements)", huge);
    made.edge(array, "internal", "elements", elements);
    made.edge(5, "context", "array", array);
    let table = made.node("object", "Map", 32);
    // 2^35 slots in a table of a map.
    let pairs = made.node("array", "", (2 + 3 + (7 << 34)) * 8);
    made.edge(table, "internal", "table", pairs);
    made.edge(5, "context", "table", table);
    weighed(made.write(&Style::default()).as_bytes()).unwrap();
}

#[test]
fn zero_nodes_are_an_empty_heap() {
    let text = Crafted::default().write(&Style::default());
    assert_eq!(weighed(text.as_bytes()).unwrap().rows().len(), 0);
    let mut root = Crafted::default();
    root.node("synthetic", "", 0);
    assert_eq!(
        weighed(root.write(&Style::default()).as_bytes())
            .unwrap()
            .rows()
            .len(),
        1
    );
}
