//! A weighing that can be shown to anybody: what the program's texts say is replaced by hashes.
//!
//! Names of types and fields stay as far as they look like a programmer's, because without them nobody could act on a
//! finding; an object that is used as a table has data for names, and what does not look like a name is replaced.

mod fields;
mod sentence;

use std::hash::{BuildHasher, RandomState};

use deadweight_heap::Churn;
use deadweight_weighing::{Curve, Finding, HeldAgain, NotMeasured, Rulebook, Weighing};
use serde_json::Value;

/// Evidence under these names describes the program's code, not of its data.
const OF_CODE: [&str; 9] = [
    "as", "columns", "field", "fields", "holds", "kind", "shapes", "type", "types",
];

/// Those of them whose values are names of fields.
const OF_FIELDS: [&str; 2] = ["field", "fields"];

/// What may stand between the identifiers of a name.
const BETWEEN: &str = " .,:;<>[]{}()*&?!|/~+-=#…@'";

/// A run of this many digits is data.
const DATA_DIGITS: usize = 4;

/// Replaces texts by hashes; equal texts by equal ones, as long as the redaction lives. Its key is kept nowhere, so
/// that nobody can find out by trying what a text was.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    key: RandomState,
    /// When names of code go, too: the pages whose titles take the place of sentences that quote them.
    everything: Option<Rulebook>,
}

/// What stands in the place of a fix that quotes the program.
fn explained(rule: &str) -> String {
    format!("`deadweight explain {rule}` says how")
}

/// Names in weighings that are no program's.
const OURS: [&str; 14] = [
    "array", "buffer", "closure", "context", "date", "library", "number", "object", "opaque", "others",
    "record", "runtime", "string", "table",
];

/// Shorter words stay in a stripped weighing, as they do in a stripped dump.
const SHORTEST: usize = 4;

impl Redaction {
    /// Names of code, places and sentences go as well: what is left reveals nothing of a program but figures.
    #[must_use]
    pub fn of_everything(rules: &Rulebook) -> Self {
        Self {
            everything: Some(rules.clone()),
            ..Self::default()
        }
    }

    /// A weighing without what the program's texts say. Figures stay; fingerprints do unless all goes.
    #[must_use]
    pub fn weighing(&self, mut weighing: Weighing) -> Weighing {
        weighing.source.path = if self.everything.is_some() {
            self.hash(&weighing.source.path)
        } else {
            last(&weighing.source.path).to_owned()
        };
        let churned = weighing
            .churned
            .iter_mut()
            .flat_map(|churned| churned.findings.iter_mut().chain(&mut churned.options));
        for finding in weighing
            .findings
            .iter_mut()
            .chain(&mut weighing.options)
            .chain(churned)
        {
            self.finding(finding);
        }
        for group in &mut weighing.groups {
            group.of = self.place(&group.of);
            if self.everything.is_some() {
                group.fix = explained(&group.rule);
                group.findings = group.findings.iter().map(|member| self.hash(member)).collect();
            } else {
                group.fix = self.sentence(&group.fix);
            }
        }
        if let Some(churned) = &mut weighing.churned {
            for site in &mut churned.sites {
                site.site = self.site(&site.site);
                site.function = self.name(&site.function);
                for share in &mut site.types {
                    share.name = self.name(&share.name);
                }
            }
            for place in churned.allocated.iter_mut().flat_map(|made| &mut made.places) {
                place.site = self.site(&place.site);
                place.function = self.name(&place.function);
                place.holds = self.name(&place.holds);
            }
            if self.everything.is_some() {
                churned.rewrites.clear();
            }
            for rewrite in &mut churned.rewrites {
                rewrite.file = last(&rewrite.file).to_owned();
                self.source(&mut rewrite.before);
                self.source(&mut rewrite.after);
            }
        }
        if let Some(holdings) = &mut weighing.holdings {
            for place in &mut holdings.places {
                place.holder = self.place(&place.holder);
                place.holds = self.place(&place.holds);
                place.of = place.of.take().map(|of| self.place(&of));
            }
        }
        weighing
            .not_measured
            .iter_mut()
            .for_each(|blind| self.blind(blind));
        for place in weighing.unseen.iter_mut().flat_map(|unseen| &mut unseen.places) {
            place.what = self.sentence(&place.what);
            place.how = self.sentence(&place.how);
        }
        if let Some(again) = &mut weighing.again {
            self.held_again(again);
        }
        if let Some(how) = weighing.curve.as_mut().and_then(|curve| curve.how.as_mut()) {
            // The command of the program may tell of it.
            Curve::HOW.clone_into(how);
        }
        weighing.estimated = weighing.estimated.take().map(|why| self.sentence(&why));
        weighing.partial = weighing.partial.take().map(|why| {
            if self.everything.is_some() {
                "a part of the dump was not read".to_owned()
            } else {
                self.sentence(&why)
            }
        });
        weighing
    }

    /// The same for what several heaps hold.
    pub fn held_again(&self, again: &mut HeldAgain) {
        for place in &mut again.places {
            place.holder = self.place(&place.holder);
            place.holds = self.place(&place.holds);
        }
    }

    /// Takes what the program's texts say out of a record of allocations, and the directories of its files.
    pub fn churn(&self, churn: &mut Churn) {
        churn.frames.change(|frame| {
            frame.function = self.name(&frame.function);
            frame.file = last(&frame.file).to_owned();
        });
    }

    /// A message of an error: what it quotes is the program's, or of a file that says it is one.
    #[must_use]
    pub fn message(&self, text: &str) -> String {
        self.literals(text)
    }

    /// What a rule could not measure may name the place where that is.
    fn blind(&self, blind: &mut NotMeasured) {
        if self.everything.is_some() {
            "what is missing could reveal something of the program, and is left out"
                .clone_into(&mut blind.why);
            "weigh the dump itself".clone_into(&mut blind.how);
        } else {
            blind.why = self.sentence(&blind.why);
            blind.how = self.sentence(&blind.how);
        }
    }

    fn finding(&self, finding: &mut Finding) {
        finding.holder = self.place(&finding.holder);
        finding.site = finding.site.take().map(|site| self.site(&site));
        if let Some(rules) = &self.everything {
            self.sentences(finding, rules);
        } else {
            finding.title = self.sentence(&finding.title);
            finding.fix = self.sentence(&finding.fix);
            finding.assumes = finding.assumes.take().map(|assumes| self.sentence(&assumes));
        }
        for (key, value) in &mut finding.evidence {
            if OF_FIELDS.contains(&key.as_str()) {
                self.field_names(value);
            } else {
                self.value(OF_CODE.contains(&key.as_str()), value);
            }
        }
        if let Some(line) = &mut finding.line {
            line.file = if self.everything.is_some() {
                self.hash(&line.file)
            } else {
                last(&line.file).to_owned()
            };
            line.name = self.name(&line.name);
            line.through = line.through.take().map(|through| self.site(&through));
            // Source has texts of the program, and its comments.
            line.around.clear();
            line.around_from = None;
        }
        for step in &mut finding.path {
            step.via = self.via(&step.via);
            step.object = self.place(&step.object);
        }
        for freed in &mut finding.frees {
            freed.holder = self.place(&freed.holder);
            freed.holds = self.place(&freed.holds);
            freed.site = freed.site.take().map(|site| self.site(&site));
        }
    }

    /// Sentences name what they speak of, anywhere: those of the rule's page take their place. Fingerprints are made of
    /// names, and could be found by trying.
    fn sentences(&self, finding: &mut Finding, rules: &Rulebook) {
        let page = rules.page(&finding.rule);
        finding.title = page.map_or_else(|| "others".to_owned(), |page| page.title.clone());
        finding.fix = explained(&finding.rule);
        finding.assumes = finding
            .assumes
            .as_ref()
            .map(|_| "what the rule's page names".to_owned());
        finding.fingerprint = self.hash(&finding.fingerprint);
        for shared in &mut finding.shared {
            shared.with = self.hash(&shared.with);
            for other in &mut shared.also {
                *other = self.hash(other);
            }
        }
    }

    fn hash(&self, text: &str) -> String {
        if self.everything.is_some() {
            return format!("#{:016x}", self.key.hash_one(text));
        }
        format!("#{:08x}", self.key.hash_one(text) as u32)
    }

    fn value(&self, of_code: bool, value: &mut Value) {
        match value {
            Value::String(text) if of_code => *text = self.place(text),
            Value::String(text) => *text = self.hash(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(of_code, value)),
            Value::Object(values) => {
                // Names under which rules file what they saw in the data, such as how many had which value.
                let redacted = std::mem::take(values).into_iter().map(|(key, mut value)| {
                    if OF_FIELDS.contains(&key.as_str()) {
                        self.field_names(&mut value);
                        return (key, value);
                    }
                    self.value(of_code || OF_CODE.contains(&key.as_str()), &mut value);
                    // Names of figures are ours, in small letters.
                    let is_ours = self.everything.is_some() && is_figure(&key, &value);
                    (if is_ours { key } else { self.name(&key) }, value)
                });
                *values = redacted.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A name of code; what does not look like one becomes its hash.
    fn name(&self, text: &str) -> String {
        // Of a file its name is kept, as in places.
        let text = &self.places(text);
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
        let strange = text
            .chars()
            .any(|character| !is_part(character) && !BETWEEN.contains(character));
        // Two words with nothing but a blank between them are a sentence.
        let sentence = text
            .split(' ')
            .filter(|word| word.starts_with(char::is_alphabetic))
            .count()
            > 3;
        if strange || sentence || is_address(text) {
            return self.hash(text);
        }
        let mut named = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let part = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
            let digits = rest[..part].bytes().filter(u8::is_ascii_digit).count();
            let is_hidden = self.everything.is_some()
                && rest[..part].chars().count() >= SHORTEST
                && !OURS.contains(&&rest[..part]);
            if digits >= DATA_DIGITS || is_hidden {
                named.push_str(&self.hash(&rest[..part]));
            } else {
                named.push_str(&rest[..part]);
            }
            let after = rest[part..].find(is_part).map_or(rest.len(), |next| part + next);
            named.push_str(&rest[part..after]);
            rest = &rest[after..];
        }
        named
    }

    /// A place in code; directories say more of a machine than of the program.
    fn site(&self, text: &str) -> String {
        if self.everything.is_some() {
            return self.hash(text);
        }
        let words = text.split(' ').map(|word| match word.strip_prefix('(') {
            Some(inside) => format!("({}", last(inside)),
            None => last(word).to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// A text that holds a quote itself ends no earlier than at the last one.
    fn between(&self, text: &str, quote: char) -> String {
        match (text.find(quote), text.rfind(quote)) {
            (Some(first), Some(end)) if first < end => {
                let (before, after) = (&text[..=first], &text[end..]);
                format!("{before}{}{after}", self.hash(&text[first + 1..end]))
            }
            _ => text.to_owned(),
        }
    }
}

/// Whether a field of evidence is named by a rule, and not by what it saw.
fn is_figure(key: &str, value: &Value) -> bool {
    const FIELDS: [&str; 42] = [
        "as",
        "at",
        "blocks",
        "bytes",
        "bytes_after",
        "bytes_each",
        "bytes_flat",
        "bytes_now",
        "capacity",
        "characters",
        "copies",
        "count",
        "equal_at",
        "equal_there",
        "examples",
        "field",
        "fields",
        "gain",
        "hash",
        "holder",
        "holds",
        "kind",
        "offset",
        "other_places",
        "percent",
        "pieces",
        "requested_bytes",
        "room",
        "saves",
        "share",
        "size",
        "sizes",
        "slices",
        "slots",
        "strings",
        "type",
        "types",
        "used",
        "value",
        "values",
        "words_used",
        "zeros",
    ];
    FIELDS.contains(&key) || (value.is_number() && key.ends_with("_bytes"))
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

/// Whether it may be an address of mail. In Ruby a sign stands before the name of a variable, never behind one.
fn is_address(text: &str) -> bool {
    let behind = text.char_indices().filter(|&(_, character)| character == '@');
    behind
        .map(|(at, _)| text[..at].chars().next_back())
        .any(|before| before.is_some_and(|before| before.is_alphanumeric() || "_-+".contains(before)))
}

#[cfg(test)]
mod tests {
    use deadweight_weighing::{Code, Page};

    use super::*;

    #[test]
    fn names_of_code_stay_and_data_goes() {
        let redaction = Redaction::default();
        for name in [
            "Measurement.cid",
            "Round.measurements[]",
            "{a, b, …}",
            "std::vector<Node*>::push_back",
            "(context).cache{}",
        ] {
            assert_eq!(redaction.name(name), name);
        }
        for data in [
            "ann@example.org",
            "+49 30 1234567",
            "dear sir or madam, hello",
            "cust_20391",
            "\u{1F600}",
        ] {
            let redacted = redaction.name(data);
            assert!(
                redacted.contains('#') && !redacted.contains("20391"),
                "{redacted}"
            );
            assert_eq!(redacted, redaction.name(data));
        }
    }

    #[test]
    fn of_everything_nothing_is_left() {
        let page = Page::of_source(Code("D01"), "//! # D01 · equal strings");
        let redaction = Redaction::of_everything(&Rulebook::new([page]));
        let name = redaction.name("Measurement.cid[]");
        assert!(name.starts_with('#') && name.ends_with(".cid[]"), "{name}");
        assert_eq!(redaction.name("string"), "string");
        assert!(!redaction.site("insert (/home/ann/tree.cpp:17)").contains("tree"));
        let mut finding: Finding = serde_json::from_value(serde_json::json!({
            "rule": "D01", "holder": "Measurement.cid", "site": null, "count": 7, "unaffected": 1, "bytes_now": 9,
            "bytes_after": 1, "saves": 8, "saves_alone": 8, "external": false, "confidence": "estimate",
            "tier": "sure", "assumes": "that Measurement is read alone", "fingerprint": "0123456789abcdef",
            "title": "7 copies of Riga in Measurement", "fix": "intern Riga", "evidence": {
                "values": [{"value": "Riga", "copies": 7}], "by_country": {"Latvia": 7}
            },
        }))
        .unwrap();
        redaction.finding(&mut finding);
        let text = serde_json::to_string(&finding).unwrap();
        for secret in ["Measurement", "Riga", "Latvia", "0123456789abcdef"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        assert_eq!(
            (finding.saves, &finding.evidence["values"][0]["copies"]),
            (8, &7.into())
        );
        assert_eq!(finding.title, "equal strings");
    }

    #[test]
    fn a_line_keeps_its_file_and_loses_the_source() {
        let mut finding: Finding = serde_json::from_value(serde_json::json!({
            "rule": "D01", "holder": "Row.id", "site": null, "count": 7, "unaffected": 1, "bytes_now": 9,
            "bytes_after": 1, "saves": 8, "saves_alone": 8, "external": false, "confidence": "exact",
            "tier": "sure", "assumes": null, "fingerprint": "0123456789abcdef", "title": "", "fix": "", "evidence": {},
            "line": {
                "file": "/home/ann/row.js", "line": 3, "column": 9, "is": "class", "name": "Row",
                "around": ["const key = 'secret'"], "around_from": 3
            },
        }))
        .unwrap();
        Redaction::default().finding(&mut finding);
        let line = finding.line.clone().unwrap();
        assert_eq!((line.place().as_str(), line.name.as_str()), ("row.js:3", "Row"));
        let text = serde_json::to_string(&finding).unwrap();
        assert!(
            !["ann", "secret"].iter().any(|secret| text.contains(secret)),
            "{text}"
        );
    }

    #[test]
    fn quotes_and_paths_are_replaced() {
        let redaction = Redaction::default();
        let title = redaction.sentence("300 have \"a \"secret\" word\" in common");
        assert!(
            !title.contains("secret") && title.starts_with("300 have \"#") && title.ends_with("\" in common")
        );
        assert_eq!(
            redaction.site("insert (/home/ann/tree.cpp:17)"),
            "insert (tree.cpp:17)"
        );
    }

    #[test]
    fn evidence_loses_its_texts_and_keeps_its_figures() {
        let mut evidence = serde_json::json!({
            "values": [{"value": "Johanna", "copies": 7}],
            "fields": ["cid", "ann@example.org"],
            "example": "Riga",
        });
        let Value::Object(values) = &mut evidence else {
            unreachable!()
        };
        let redaction = Redaction::default();
        for (key, value) in values {
            redaction.value(OF_CODE.contains(&key.as_str()), value);
        }
        assert_eq!(evidence["values"][0]["copies"], 7);
        assert_eq!(evidence["fields"][0], "cid");
        let text = evidence.to_string();
        assert!(
            !["Johanna", "ann@", "Riga"]
                .iter()
                .any(|secret| text.contains(secret)),
            "{text}"
        );
    }
}
