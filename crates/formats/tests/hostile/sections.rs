//! Files that are no snapshots, and sections and headers that are missing, lie or nest too deep.

use deadweight_formats::{Sidecar, open};

use crate::crafted::NODE_TYPES;
use crate::{fails, small, weighed, with};

#[test]
fn what_is_no_snapshot_is_named() {
    fails("", Some(0), "an empty file");
    fails(" \n\t ", Some(0), "only white space");
    fails("hello", Some(0), "\"hello\"");
    fails("[1,2]", Some(0), "\"[1,2]\"");
    fails([0x7F, b'E', b'L', b'F'], Some(0), "expected a heap snapshot");
    fails("{}", Some(1), "a section \"snapshot\"");
    fails("{\"a\":1}", Some(6), "a section \"snapshot\"");
    fails("{\"a\" 1}", Some(5), "':' after the name of a section");
    fails("{a:1}", Some(1), "the name of a section");
    fails("{\"nodes\":{}}", Some(9), "the '[' of nodes");
}

#[test]
fn a_missing_file_and_a_directory_are_named() {
    let place = tempfile::tempdir().unwrap();
    for path in [place.path().join("none.heapsnapshot"), place.path().to_owned()] {
        let error = open(&path, &Sidecar::default()).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn every_section_is_needed() {
    for section in ["snapshot", "nodes", "edges", "strings"] {
        let text = with(&format!("\"{section}\":"), "\"other\":");
        fails(text, None, &format!("a section \"{section}\""));
    }
}

#[test]
fn the_header_must_list_the_fields_and_types() {
    fails(with("\"meta\"", "\"atem\""), None, "missing field `meta`");
    fails(
        with("\"node_fields\"", "\"fields\""),
        None,
        "missing field `node_fields`",
    );
    fails(
        with("\"self_size\"", "\"size\""),
        None,
        "a field \"self_size\" in meta",
    );
    fails(with("\"to_node\"", "\"to\""), None, "a field \"to_node\" in meta");
    fails(
        with("\"node_count\":", "\"node_count\":\"many\",\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"node_count\":", "\"node_count\":1.5,\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"node_count\":", "\"node_count\":-1,\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"snapshot\":{", "\"snapshot\":5,\"s\":{"),
        None,
        "a \"snapshot\" header",
    );
    let list = format!("{NODE_TYPES:?}").replace("\", \"", "\", \"");
    fails(with(&list, "\"number\""), None, "a list of node types in meta");
    let many = format!("\"node_fields\":[{}\"type\",", "\"x\",".repeat(40));
    fails(
        with("\"node_fields\":[\"type\",", &many),
        None,
        "at most 32 fields in meta",
    );
}

#[test]
fn an_error_in_a_header_of_many_lines_is_at_its_place() {
    let text = with("\"node_count\":", "\n\n  \"node_count\":x");
    let at = text.find(":x").unwrap() + 1;
    fails(&text, Some(at), "a \"snapshot\" header");
}

#[test]
fn counts_that_lie_are_reported() {
    let text = small();
    let count = |name: &str| {
        let at = text.rfind(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        text[at..].split([',', '}']).next().unwrap().to_owned()
    };
    for name in ["node_count", "edge_count"] {
        let honest = count(name);
        for lie in ["0", "1", "99999999", "4294967295", "18446744073709551615"] {
            let lying = with(&format!("\"{name}\":{honest}"), &format!("\"{name}\":{lie}"));
            fails(lying, None, &format!("{name} = {lie}"));
        }
        let lying = with(
            &format!("\"{name}\":{honest}"),
            &format!("\"{name}\":18446744073709551616"),
        );
        fails(lying, None, "a \"snapshot\" header");
    }
}

#[test]
fn deep_nesting_is_reported() {
    let deep = "[".repeat(1_000_000);
    fails(
        with("{\"snapshot\":", &format!("{{\"x\":{deep}")),
        None,
        "at most 4096 levels",
    );
    let deep = "{\"a\":".repeat(1_000_000);
    fails(
        with("{\"snapshot\":", &format!("{{\"x\":{deep}")),
        None,
        "at most 4096 levels",
    );
    let balanced = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let text = with("{\"snapshot\":", &format!("{{\"x\":{balanced},\"snapshot\":"));
    assert!(weighed(text.as_bytes()).is_ok());
    let deep = format!("\"meta\":{{\"x\":{}", "[".repeat(100_000));
    fails(with("\"meta\":{", &deep), None, "expected");
}

#[test]
fn sections_of_traces_and_samples_are_passed_over() {
    let text = with(
        "\"trace_function_infos\":[]",
        "\"trace_function_infos\":[0,1,2,3,4,5],\"trace_tree\":[1,0,2,3,[4,5,6,7,[]]],\"samples\":[1,2]",
    );
    assert!(weighed(text.as_bytes()).is_ok());
}
