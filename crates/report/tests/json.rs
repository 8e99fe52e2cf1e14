//! A weighing survives the way to JSON and back.

mod support;

use deadweight_report::{Json, Report};
use deadweight_weighing::{Weighing, read};

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
        support::hostile(),
        support::churn(),
    ] {
        let text = written(&weighing);
        assert!(text.ends_with("}\n"));
        assert_eq!(read(text.as_bytes()), Ok(weighing));
    }
}
