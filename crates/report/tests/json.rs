//! A weighing survives the way to JSON and back.

mod support;

use deadweight_report::{Json, Report};
use deadweight_weighing::{ReadError, Weighing, read};

fn written(weighing: &Weighing) -> String {
    let mut out = Vec::new();
    Json.write(weighing, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn what_is_written_is_read_back() {
    for weighing in [
        support::rich(),
        support::empty(),
        support::partial(),
        support::churn(),
    ] {
        let text = written(&weighing);
        assert!(text.ends_with("}\n"));
        assert_eq!(read(text.as_bytes()), Ok(weighing));
    }
    // Whatever its texts are, what is written is what was meant; its sums are refused.
    let hostile = support::hostile();
    let text = written(&hostile);
    let again: Weighing = serde_json::from_str(&text).expect("a weighing");
    assert_eq!(again, hostile);
    assert!(matches!(read(text.as_bytes()), Err(ReadError::NotSummed { .. })));
}
