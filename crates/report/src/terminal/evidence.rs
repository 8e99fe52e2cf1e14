//! What the evidence of a finding says that decides whether its fix is worth while: other places that must change with
//! it, what it adds, and the ways in which it can be made.

use deadweight_weighing::{Finding, harmless};
use serde_json::{Map, Value};

use crate::figures::{bytes, counted};

/// The ways that a finding of tiny buffers lists, as a person would say them.
const WAYS: [(&str, &str); 3] = [
    ("pool", "one pool"),
    ("packed_portable", "packed in fields, on every build"),
    ("packed", "packed in fields, on this build"),
];

/// The table of values is worth a line from one in so many of the bytes that are saved.
const TABLE_SHARE: u64 = 50;

/// A sentence for each of them.
pub(super) fn notes(finding: &Finding) -> Vec<String> {
    let evidence = &finding.evidence;
    let mut lines: Vec<String> = places(finding).into_iter().collect();
    let figure = |name: &str| evidence.get(name).and_then(Value::as_u64).unwrap_or(0);
    let interned = figure("interned_table");
    let added = figure("adds_bytes").saturating_sub(interned);
    if added > 0 {
        lines.push(format!(
            "what replaces them takes {} (already subtracted)",
            bytes(added)
        ));
    }
    if interned > 0 {
        lines.push(format!(
            "the runtime's own table of texts grows by {} (already subtracted): a table that goes when all is read saves this, too",
            bytes(interned)
        ));
    }
    lines.extend(kept_table(finding));
    lines.extend(instead(finding));
    lines
}

/// What the table takes by which equal objects are found, where it takes a part of the saving that can be seen.
fn kept_table(finding: &Finding) -> Option<String> {
    let takes = finding.evidence.get("kept_table")?.as_u64()?;
    (takes.saturating_mul(TABLE_SHARE) >= finding.saves_alone).then(|| {
        format!(
            "the table of values takes {} for as long as it is kept",
            bytes(takes)
        )
    })
}

/// Other fixes, for who cannot make this one.
fn instead(finding: &Finding) -> Option<String> {
    let others = finding.evidence.get("instead")?.as_array()?;
    let other = |other: &Value| {
        let rule = other.get("rule")?.as_str()?;
        let place = harmless(other.get("place")?.as_str()?);
        let saves = bytes(other.get("saves")?.as_u64()?);
        Some(format!("{rule} at {place} saves {saves}"))
    };
    let others: Vec<String> = others.iter().filter_map(other).collect();
    (!others.is_empty()).then(|| format!("where that does not hold: {}", others.join("; ")))
}

fn places(finding: &Finding) -> Option<String> {
    let evidence = &finding.evidence;
    let listed = evidence.get("also_held_at")?.as_array()?;
    let name = |place: &Value| place.get("place")?.as_str().map(harmless);
    let first: Vec<String> = listed.iter().take(2).filter_map(name).collect();
    let places = evidence.get("places").and_then(Value::as_u64)?.saturating_sub(1);
    let more = places.saturating_sub(first.len() as u64);
    let mut names = first.join(" and ");
    if more > 0 {
        names = format!("{}, and {}", first.join(", "), counted(more, "more place"));
    }
    let elsewhere = evidence.get("bytes_held_elsewhere_too")?.as_u64()?;
    let here = finding.saves_alone.saturating_sub(elsewhere);
    let hold = if places == 1 { "holds" } else { "hold" };
    Some(format!(
        "{names} {hold} the same objects and must change, too: {} alone frees {}",
        harmless(&finding.holder),
        bytes(here)
    ))
}

/// The ways in which the fix can be made, as a small table.
pub(super) fn ways(evidence: &Map<String, Value>) -> Vec<String> {
    let known = WAYS.iter().filter_map(|(key, name)| {
        let way = evidence.get(*key)?;
        let (held, external) = (way.get("saves")?.as_u64()?, way.get("saves_external")?.as_i64()?);
        Some((*name, held, external))
    });
    let known: Vec<(&str, u64, i64)> = known.collect();
    let widest = known.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let line = |(at, (name, held, external)): (usize, &(&str, u64, i64))| {
        let label = if at == 0 { "ways" } else { "" };
        let outside = bytes(external.unsigned_abs());
        let outside = match external {
            0 => "no change".to_owned(),
            1.. => format!("{outside} saved"),
            _ => format!("{outside} added"),
        };
        format!(
            "{label:<5} {name:<widest$}  held {} saved, external {outside}",
            bytes(*held)
        )
    };
    known.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(evidence: &Value) -> Vec<String> {
        let finding = json!({
            "rule": "L04", "holder": "Cell.v", "site": null, "count": 9, "unaffected": 0,
            "bytes_now": 9, "bytes_after": 0, "saves": 3_400_000, "saves_alone": 3_400_000, "external": false,
            "confidence": "exact", "tier": "sure", "assumes": null, "fingerprint": "f",
            "title": "t", "fix": "f", "evidence": evidence,
        });
        notes(&serde_json::from_value(finding).expect("a finding"))
    }

    #[test]
    fn each_way_has_held_and_external_bytes_apart() {
        let evidence = json!({
            "pool": {"saves": 3_400_000, "saves_external": -200_000},
            "packed": {"saves": 2_000_000, "saves_external": 600_000},
            "packed_portable": {"saves": 1_000_000, "saves_external": 0},
        });
        assert_eq!(
            ways(evidence.as_object().expect("an object")),
            [
                "ways  one pool                          held 3.4 MB saved, external 0.2 MB added",
                "      packed in fields, on every build  held 1.0 MB saved, external no change",
                "      packed in fields, on this build   held 2.0 MB saved, external 0.6 MB saved",
            ]
        );
    }

    #[test]
    fn a_table_of_values_is_named_where_it_takes_a_part_of_the_saving() {
        let shown = of(&json!({"kept_table": 200_000}));
        assert_eq!(
            shown,
            ["the table of values takes 0.2 MB for as long as it is kept"]
        );
        assert!(of(&json!({"kept_table": 2_000})).is_empty());
    }

    #[test]
    fn the_runtimes_table_is_said_apart_from_what_else_a_fix_adds() {
        let of_table = "the runtime's own table of texts grows by 0.2 MB (already subtracted): a table that goes when all is read \
                        saves this, too";
        assert_eq!(
            of(&json!({"adds_bytes": 200_000, "interned_table": 200_000})),
            [of_table]
        );
        assert_eq!(
            of(&json!({"adds_bytes": 300_000, "interned_table": 200_000})),
            ["what replaces them takes 0.1 MB (already subtracted)", of_table]
        );
    }

    #[test]
    fn other_places_and_what_a_fix_adds_are_said() {
        let evidence = json!({
            "also_held_at": [{"place": "Cell.h", "objects": 9}, {"place": "Cell.w", "objects": 9}],
            "places": 3, "bytes_held_elsewhere_too": 3_400_000, "adds_bytes": 2_000_000,
        });
        assert_eq!(
            of(&evidence),
            [
                "Cell.h and Cell.w hold the same objects and must change, too: Cell.v alone frees 0 B",
                "what replaces them takes 2.0 MB (already subtracted)",
            ]
        );
        let evidence = json!({
            "also_held_at": [{"place": "ids{keys}", "objects": 3}],
            "places": 2, "bytes_held_elsewhere_too": 1_400_000, "adds_bytes": 0,
        });
        assert_eq!(
            of(&evidence),
            ["ids{keys} holds the same objects and must change, too: Cell.v alone frees 2.0 MB"]
        );
    }

    #[test]
    fn other_evidence_says_nothing() {
        for evidence in [
            json!({}),
            json!({"pool": 3, "also_held_at": 7, "adds_bytes": "x"}),
        ] {
            assert!(of(&evidence).is_empty());
            assert!(ways(evidence.as_object().expect("an object")).is_empty());
        }
    }
}
