//! The text of a regular expression is the engine's where it had to write it anew.

mod crafted;

use crafted::{Style, program, read, scope};
use deadweight_heap::ObjectId;

#[test]
fn an_escaped_source_is_a_piece_of_its_expression() {
    for data_kind in [("array", ""), ("code", "system / IrRegExpData")] {
        let mut snapshot = program(8);
        let scope = scope(&mut snapshot);
        let mut expression = |pattern: &str, source: Option<&str>| {
            let expression = snapshot.node("regexp", source.unwrap_or(pattern), 56);
            let data = snapshot.node(data_kind.0, data_kind.1, 112);
            let pattern = snapshot.node("string", pattern, 24);
            let source = source.map_or(pattern, |source| snapshot.node("string", source, 32));
            snapshot.edge(expression, "hidden", "2", data);
            snapshot.edge(expression, "hidden", "3", source);
            snapshot.edge(data, "internal", "1", pattern);
            snapshot.edge(scope, "context", &format!("it{expression}"), expression);
            (expression as ObjectId, source as ObjectId)
        };
        let escaped = expression("^a/b", Some("^a\\/b"));
        let same = expression("^ab", None);
        let heap = read(snapshot.write(&Style::default()).as_bytes()).unwrap().heap;
        assert_eq!(heap.owner(escaped.1), escaped.0);
        assert_eq!(heap.owner(same.1), same.1);
    }
}
