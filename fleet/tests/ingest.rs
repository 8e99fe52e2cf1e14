//! What comes in: from folders, files and lines, each weighing once.

mod support;

use std::fs;

use serde_json::json;
use support::{Fleet, counts, envelope, lines, stored, weighing};

#[test]
fn the_same_weighing_twice_is_one_row() {
    let fleet = Fleet::new();
    let all = lines(300);
    assert_eq!(counts(&fleet.ingest(&all, &["--batch", "70"])), (300, 0, 0));
    assert_eq!(counts(&fleet.ingest(&all, &["--batch", "90"])), (0, 300, 0));
    // Twice in one batch, and with its keys in another order.
    let one = weighing(500, &[("00000000000000aa", 100)]);
    let line = envelope("api", "1", "a", "2026-03-01T12:00:00Z", &one);
    let otherwise = format!(" {}\n", line.trim().replace(':', ": "));
    assert_ne!(line, otherwise);
    let three = format!("{line}{line}{}", otherwise.replace("T12: 00: 00Z", "T12:00:00Z"));
    assert_eq!(counts(&fleet.ingest(&three, &[])), (1, 2, 0));
    fleet.says(&["compact"]);
    assert_eq!(counts(&fleet.ingest(&three, &[])), (0, 3, 0));
    let rows = fleet.sql("SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM weighings");
    assert_eq!(rows, json!([{"rows": 301, "ids": 301}]));
}

#[test]
fn rows_add_up_before_and_after_compaction() {
    let fleet = Fleet::new();
    fleet.ingest(&lines(400), &["--batch", "50"]);
    let sums =
        "SELECT (SELECT sum(held) FROM weighings) AS held, (SELECT sum(bytes) FROM holdings) AS by_type,
                (SELECT sum(dead) FROM weighings) AS dead,
                (SELECT sum(saves) FROM findings WHERE of = 'held') AS saves,
                (SELECT sum(external_dead) FROM weighings) AS external_dead,
                (SELECT sum(saves) FROM findings WHERE of = 'external') AS external_saves,
                (SELECT sum(dead_sure) FROM weighings) AS sure,
                (SELECT sum(saves) FROM findings WHERE sure AND of = 'held') AS sure_saves";
    let before = fleet.sql(sums);
    let row = &before[0];
    for (one, other) in [
        ("held", "by_type"),
        ("dead", "saves"),
        ("external_dead", "external_saves"),
        ("sure", "sure_saves"),
    ] {
        assert!(row[one].as_u64().is_some_and(|sum| sum > 0), "{row}");
        assert_eq!(row[one], row[other], "{one}: {row}");
    }
    let done = fleet.json(&["compact"]);
    assert_eq!(
        (&done["parts_before"], &done["parts_after"]),
        (&json!(8), &json!(50))
    );
    assert_eq!(fleet.sql(sums), before);
    assert_eq!(fleet.json(&["compact"])["parts_after"], 50);
}

#[test]
fn bad_ones_are_named_and_the_rest_is_taken() {
    let fleet = Fleet::new();
    let folder = fleet.folder.path().join("in/api/1.2/host-7");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(stored("spark-before.json"), folder.join("one.json")).unwrap();
    fs::copy(stored("shamap.json"), folder.join("two.json")).unwrap();
    fs::write(folder.join("broken.json"), "{\"schema\": \"deadweight/wei").unwrap();
    fs::write(folder.join("other.json"), "{\"name\": \"package\"}").unwrap();
    let mut off = weighing(10, &[("aa", 5)]);
    off["held"]["dead"] = 4.into();
    fs::write(folder.join("off.json"), off.to_string()).unwrap();
    fs::write(folder.join("notes.txt"), "no weighing").unwrap();
    let from = fleet.folder.path().join("in");
    let from = from.to_str().unwrap();
    let arguments = [
        "ingest",
        from,
        "--by-path",
        "service/version/host",
        "--format",
        "json",
    ];
    let output = fleet.run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(counts(&output), (2, 0, 3));
    let said = String::from_utf8(output.stderr).unwrap();
    for name in ["broken.json", "other.json", "off.json"] {
        assert!(said.contains(name), "{said}");
    }
    assert!(!said.contains("notes.txt"), "{said}");
    // Both are of the first version of the schema.
    let rows = fleet
        .sql("SELECT service, version, host, dead_sure, count(*) AS rows FROM weighings GROUP BY 1, 2, 3, 4");
    let expected =
        json!([{"service": "api", "version": "1.2", "host": "host-7", "dead_sure": null, "rows": 2}]);
    assert_eq!(rows, expected);
    // Without the folders' names nobody knows of what they are.
    let output = fleet.run(&["ingest", from, "--service", "api"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("no version is given")
    );
}

#[test]
fn texts_stay_out_unless_they_are_asked_for() {
    let secret = "ann@example.org";
    let mut one = weighing(500, &[("00000000000000aa", 100)]);
    one["findings"][0]["title"] = json!(format!("10 strings hold \"{secret}\""));
    one["findings"][0]["holder"] = json!(format!("Row.{secret}"));
    one["findings"][0]["evidence"] = json!({"values": [{"value": secret, "copies": 10}]});
    one["holdings"]["places"][0]["holds"] = json!(secret);
    let line = envelope("api", "1", "a", "2026-03-01T12:00:00Z", &one);
    let question = "SELECT f.title, f.holder, h.type FROM findings f JOIN holdings h ON f.id = h.id";
    for (more, is_there) in [(&[][..], false), (&["--with-texts"], true)] {
        let fleet = Fleet::new();
        assert_eq!(counts(&fleet.ingest(&line, more)), (1, 0, 0));
        let rows = fleet.sql(question).to_string();
        assert_eq!(rows.contains("ann"), is_there, "{rows}");
        assert!(!is_there || rows.matches(secret).count() == 3, "{rows}");
        // Nor in what the rows are made of.
        for entry in walk(&fleet.dataset()) {
            let bytes = fs::read(&entry).unwrap();
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(is_there || !found, "{}", entry.display());
        }
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] })
        .collect()
}

#[test]
fn old_weighings_go_and_the_others_stay() {
    let fleet = Fleet::new();
    let today = chrono::Utc::now();
    let day = |ago: i64| (today - chrono::TimeDelta::days(ago)).to_rfc3339();
    let mut all = String::new();
    for ago in 0..10 {
        all += &envelope("api", "1", "a", &day(ago), &weighing(500, &[("aa", 100)]));
        all += &envelope("web", "1", "b", &day(ago), &weighing(700, &[("bb", 50)]));
    }
    fleet.ingest(&all, &["--batch", "6"]);
    for compacted in [false, true] {
        if compacted {
            fleet.says(&["compact"]);
        }
        let days = if compacted { "3" } else { "5" };
        let left = if compacted { 6 } else { 10 };
        assert_eq!(fleet.json(&["retain", "--days", days])["after"], left);
        let question = "SELECT count(*) AS weighings, count(DISTINCT day) AS days, (SELECT count(*) FROM findings) AS findings FROM weighings";
        let expected = json!([{"weighings": left, "days": left / 2, "findings": left}]);
        assert_eq!(fleet.sql(question), expected);
    }
}

#[test]
fn what_only_reads_makes_no_dataset() {
    let fleet = Fleet::new();
    let output = fleet.run(&["top"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!fleet.dataset().exists());
    fleet.ingest("", &[]);
    let output = fleet.run(&["top"]);
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("has no weighings yet")
    );
}
