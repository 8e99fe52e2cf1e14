//! Of a redacted weighing nobody learns what the program's texts say, wherever in it they stand.

mod support;

use deadweight_compare::prove::{Options, prove};
use deadweight_report::{Json, Look, Redaction, Report, Terminal};
use deadweight_weighing::{Group, Tier, Weighing, read};
use serde_json::{Value, json};

/// Words of ours, under these names.
const OURS: [&str; 11] = [
    "schema",
    "format",
    "rule",
    "name",
    "version",
    "allocator",
    "confidence",
    "fingerprint",
    "with",
    "tier",
    "findings",
];

/// Sentences of ours that quote the program.
const SENTENCES: [&str; 7] = ["why", "how", "title", "fix", "assumes", "partial", "estimated"];

const PLACE: &str = "/home/ann/payroll/app.rb:7";
const SENTENCE: &str = "`x.split('Johanna')` at payroll/app.rb:7 has \"Riga\", as in https://ann.example/1";
const SECRETS: [&str; 6] = ["/home", "ann", "payroll", "Johanna", "Riga", "ann.example"];

fn real(name: &str) -> Weighing {
    let path = format!(
        "{}/html/testing/weighings/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    read(&std::fs::read(path).expect("a weighing")).expect("a weighing")
}

/// Puts what nobody may read in place of every text that is no word of ours, and counts them.
fn poison(name: &str, value: &mut Value) -> usize {
    match value {
        Value::String(text) if SENTENCES.contains(&name) => *text = format!("{SENTENCE} {PLACE}"),
        Value::String(_) if OURS.contains(&name) => return 0,
        Value::String(text) => PLACE.clone_into(text),
        Value::Array(values) => return values.iter_mut().map(|value| poison(name, value)).sum(),
        Value::Object(values) => {
            let mut count = 0;
            for (name, value) in values.iter_mut() {
                count += poison(name, value);
            }
            if name == "evidence" {
                values.insert("seen".to_owned(), json!({"ann@payroll.example": 7}));
            }
            return count;
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => return 0,
    }
    1
}

#[test]
fn no_text_of_the_program_is_left_in_any_field() {
    for name in [
        "client-before",
        "line-count-before",
        "spark-before",
        "shamap",
        "compiler",
    ] {
        let mut weighing = real(name);
        weighing.partial = Some(String::new());
        weighing.groups = vec![Group {
            rule: "D01".into(),
            of: String::new(),
            fix: String::new(),
            tier: Tier::Sure,
            external: false,
            saves: 2,
            findings: vec!["0123456789abcdef".into(), "fedcba9876543210".into()],
        }];
        weighing.again = support::again().again;
        let mut value = serde_json::to_value(&weighing).expect("JSON");
        let poisoned = poison("", &mut value);
        assert!(poisoned > 50, "{poisoned} texts");
        let mut weighing: Weighing = serde_json::from_value(value).expect("a weighing");
        weighing.curve = support::past().curve;
        if let Some(curve) = &mut weighing.curve {
            curve.how = Some(format!("deadweight run -- node {PLACE} Johanna"));
        }
        for rewrite in weighing.churned.iter_mut().flat_map(|made| &mut made.rewrites) {
            rewrite.before = vec!["text.split('Johanna, Riga').length // ann".into()];
            rewrite.after = vec![
                "text.split(\"payroll\", 50).length".into(),
                "`".into(),
                "Riga".into(),
            ];
        }
        for redaction in [
            Redaction::default(),
            Redaction::of_everything(&support::rulebook()),
        ] {
            let shown = redaction.weighing(weighing.clone());
            let look = Look {
                width: 400,
                colour: false,
            };
            let mut text = Vec::new();
            Json.write(&shown, &mut text).expect("JSON");
            Terminal::new(look).write(&shown, &mut text).expect("a screen");
            let proof = prove(&shown, &shown, &Options::default());
            text.extend(serde_json::to_vec(&proof).expect("JSON"));
            let text = String::from_utf8(text).expect("text");
            for secret in SECRETS {
                let at = text.find(secret);
                assert!(
                    at.is_none(),
                    "{secret} in {name}: {}",
                    &text[at.unwrap_or(0).saturating_sub(200)..][..300]
                );
            }
        }
    }
}
