//! What the page is given is the weighing, whatever stands in it.

mod support;

use deadweight_report::{Html, Report};
use deadweight_weighing::Weighing;
use serde_json::Value;

/// The page's data element, as a browser finds its end.
fn data(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("a data element");
    let (json, _) = rest.split_once("</script").expect("its end");
    assert!(!json.contains(['<', '>', '&']), "nothing in it can be a tag");
    serde_json::from_str(json).expect("JSON")
}

fn page(weighing: &Weighing) -> String {
    let mut out = Vec::new();
    let rules = support::rulebook();
    Html { rules: &rules }
        .write(weighing, &mut out)
        .expect("memory takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn the_page_holds_the_weighing_as_it_is() {
    for weighing in [
        support::rich(),
        support::empty(),
        support::partial(),
        support::hostile(),
        support::churn(),
    ] {
        let data = data(&page(&weighing));
        assert_eq!(
            data["weighings"][0],
            serde_json::to_value(&weighing).expect("a value")
        );
    }
}

#[test]
fn the_pages_of_rules_that_found_something_are_in_it() {
    let data = data(&page(&support::rich()));
    let rules = data["rules"].as_object().expect("by code");
    assert!(rules.contains_key("L01") && rules.contains_key("L06"));
    assert!(!rules.contains_key("D02"), "nothing was found by it");
    let blocks = rules["D01"]["blocks"].as_array().expect("blocks");
    assert!(blocks.iter().any(|block| block["kind"] == "item"));
}
