//! Answers, on fleets whose answers are known.

mod support;

use serde_json::{Value, json};
use support::{Fleet, envelope, weighing};

const LEAK: &str = "aaaaaaaaaaaaaaaa";
const COPIES: &str = "bbbbbbbbbbbbbbbb";

/// Two services: `api` gets rid of copies with version 2 on three of four hosts, and `web` gets a leak.
fn fleet() -> Fleet {
    let fleet = Fleet::new();
    let mut lines = String::new();
    let mut put =
        |service: &str, version: &str, host: &str, day: u32, content: u64, findings: &[(&str, u64)]| {
            let at = format!("2026-03-{day:02}T12:00:00Z");
            lines += &envelope(service, version, host, &at, &weighing(content, findings));
        };
    for (nth, host) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let content = 1_000_000 + nth as u64 * 1_000;
        put("api", "1", host, 1, content, &[(COPIES, 500_000)]);
        put("api", "1", host, 2, content + 10, &[(COPIES, 500_000)]);
        if host == "d" {
            put("api", "1", host, 3, content, &[(COPIES, 500_000)]);
        } else {
            put("api", "2", host, 3, content, &[]);
        }
        put("web", "7", host, 1, content, &[(COPIES, 1_000)]);
        put(
            "web",
            "8",
            host,
            3,
            content,
            &[(COPIES, 1_000), (LEAK, 200_000 + nth as u64)],
        );
    }
    fleet.ingest(&lines, &[]);
    fleet
}

#[test]
fn a_file_that_is_gone_is_an_error_and_no_smaller_answer() {
    let fleet = fleet();
    for table in ["weighings", "findings", "holdings"] {
        let folder = fleet.dataset().join(table).join("new");
        let file = std::fs::read_dir(&folder)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let aside = fleet.folder.path().join("aside");
        std::fs::rename(&file, &aside).unwrap();
        let output = fleet.run(&["top"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let name = file.file_name().unwrap().to_string_lossy();
        assert!(
            said.contains(&*name) && said.contains("although the log lists it"),
            "{said}"
        );
        std::fs::rename(&aside, &file).unwrap();
    }
    assert_eq!(fleet.run(&["top"]).status.code(), Some(0));
}

#[test]
fn top_counts_the_latest_weighing_of_each_host() {
    let fleet = fleet();
    let top = fleet.json(&["top", "--price-gb-hour", "0.01"]);
    let services = &top["services"];
    assert_eq!(services[0]["service"], "web");
    assert_eq!(services[0]["dead"], 4 * 201_000 + 1 + 2 + 3);
    let api = &services[1];
    assert_eq!((&api["service"], &api["hosts"]), (&json!("api"), &json!(4)));
    assert_eq!(
        (&api["bytes"], &api["dead"]),
        (&json!(4_006_000 + 500_000), &json!(500_000))
    );
    assert_eq!(api["dead_sure"], 500_000);
    let a_month = api["a_month"].as_f64().unwrap();
    assert!((a_month - 0.000_5 * 0.01 * 730.0).abs() < 1e-12, "{a_month}");
    let findings = &top["findings"];
    assert_eq!(findings[0]["fingerprint"], LEAK);
    assert_eq!(
        (&findings[0]["saves"], &findings[0]["since_version"]),
        (&json!(800_006), &json!("8"))
    );
    let copies = &findings[1];
    assert_eq!(
        (&copies["saves"], &copies["hosts"], &copies["services"]),
        (&json!(504_000), &json!(5), &json!(2))
    );
    // One day alone; hosts that were not weighed on it do not count.
    let top = fleet.json(&["top", "--days", "1", "--service", "api"]);
    assert_eq!(top["services"].as_array().unwrap().len(), 1);
    assert_eq!(top["services"][0]["hosts"], 4);
    let said = fleet.says(&["top"]);
    assert!(
        said.starts_with("1.3 MB of 9.3 MB held are dead weight (14.0 %), on 8 hosts of 2 services"),
        "{said}"
    );
}

#[test]
fn trend_has_a_day_a_row() {
    let days = fleet().json(&["trend", "--service", "api"]);
    let days = days["days"].as_array().unwrap();
    let dead: Vec<f64> = days.iter().map(|day| day["dead"].as_f64().unwrap()).collect();
    assert_eq!(dead, [2_000_000.0, 2_000_000.0, 500_000.0]);
    assert_eq!(days[2]["dead_a_host"], 125_000.0);
    assert_eq!(days[0]["day"], "2026-03-01");
    assert_eq!(days[0]["bytes"], 6_006_000.0);
}

#[test]
fn who_names_the_hosts_that_lack_the_fix() {
    let fleet = fleet();
    let who = fleet.json(&["who", &COPIES[..4]]);
    let having: Vec<(&str, &str, u64, u64)> = who["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| {
            let text = |name: &str| of[name].as_str().unwrap();
            (
                text("service"),
                text("version"),
                of["hosts"].as_u64().unwrap(),
                of["having"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        having,
        [("api", "1", 1, 1), ("api", "2", 3, 0), ("web", "8", 4, 4)]
    );
    assert_eq!(who["hosts"][0]["host"], "d");
    assert_eq!(
        (&who["hosts"][0]["service"], &who["hosts"][0]["saves"]),
        (&json!("api"), &json!(500_000))
    );
    assert_eq!(who["since_version"], "1");
    let output = fleet.run(&["who", "ffff"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn regressions_are_those_that_chance_does_not_explain() {
    let fleet = fleet();
    let found = fleet.json(&["regressions"]);
    assert_eq!(found["compared"], 2);
    let worse = found["worse"].as_array().unwrap();
    assert_eq!(worse.len(), 1);
    assert_eq!(
        (&worse[0]["service"], &worse[0]["after"]),
        (&json!("web"), &json!("8"))
    );
    assert_eq!(worse[0]["grew"]["measured"], 200_001.5);
    assert_eq!(worse[0]["new"][0]["fingerprint"], LEAK);
    assert_eq!(worse[0]["new"].as_array().unwrap().len(), 1);
    assert_eq!(found["better"][0]["service"], "api");
    assert_eq!(fleet.run(&["regressions", "--fail"]).status.code(), Some(1));
    assert_eq!(
        fleet
            .run(&["regressions", "--fail", "--service", "api"])
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn versions_follow_each_other_as_they_came() {
    let fleet = Fleet::new();
    let mut lines = String::new();
    // Both are older than what is compared, and the newer one happens to be weighed first there.
    for (version, days) in [("9", ["01", "20"]), ("10", ["02", "19"])] {
        for (day, host) in days.into_iter().flat_map(|day| [(day, "a"), (day, "b")]) {
            let at = format!("2026-03-{day}T12:00:00Z");
            lines += &envelope("api", version, host, &at, &weighing(1_000, &[("aa", 5)]));
        }
    }
    fleet.ingest(&lines, &[]);
    let rollout = fleet.json(&["rollout", "api", "--days", "3"]);
    assert_eq!(
        (&rollout["before"], &rollout["after"]),
        (&json!("9"), &json!("10"))
    );
}

#[test]
fn a_rollout_is_proved_by_its_bytes() {
    let fleet = fleet();
    let kept = fleet.json(&["rollout", "api", "--before", "1", "--after", "2"]);
    assert_eq!(
        (&kept["promised"], &kept["verdict"]),
        (&json!(500_000.0), &json!("kept"))
    );
    let came = |of: &Value| {
        (
            of["came"]["low"].as_f64().unwrap(),
            of["came"]["high"].as_f64().unwrap(),
        )
    };
    let (low, high) = came(&kept);
    assert!(
        low < 500_000.0 && 500_000.0 < high && high - low < 10_000.0,
        "{low} to {high}"
    );
    assert_eq!(kept["findings"][0]["fate"], "gone");
    // The finding is gone, but the bytes are not.
    let mut lines = String::new();
    for (nth, host) in ["a", "b", "c"].into_iter().enumerate() {
        let at = "2026-03-04T12:00:00Z";
        lines += &envelope("api", "3", host, at, &weighing(1_500_000 + nth as u64, &[]));
    }
    fleet.ingest(&lines, &[]);
    let hidden = fleet.json(&["rollout", "api", "--before", "1", "--after", "3"]);
    assert_eq!(
        (&hidden["promised"], &hidden["verdict"]),
        (&json!(500_000.0), &json!("less"))
    );
    let nothing = fleet.json(&["rollout", "web"]);
    assert_eq!(nothing["verdict"], "nothing_promised");
    assert_eq!(
        (&nothing["before"], &nothing["after"]),
        (&json!("7"), &json!("8"))
    );
    let output = fleet.run(&["rollout", "api", "--before", "1", "--after", "9"]);
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("it has: 1, 2, 3")
    );
}

#[test]
fn sql_only_reads() {
    let fleet = fleet();
    let rows = fleet.sql("SELECT service, count(*) AS rows FROM weighings GROUP BY service ORDER BY service");
    assert_eq!(
        rows,
        json!([{"service": "api", "rows": 12}, {"service": "web", "rows": 8}])
    );
    let target = fleet.folder.path().join("out.csv");
    for question in [
        "DROP TABLE weighings".to_owned(),
        format!("COPY weighings TO '{}'", target.display()),
        "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION '/etc/passwd'".to_owned(),
        "SELECT * FROM '/etc/passwd'".to_owned(),
        "INSERT INTO weighings SELECT * FROM weighings".to_owned(),
        "SET datafusion.execution.batch_size = 1".to_owned(),
        "nonsense".to_owned(),
    ] {
        assert_eq!(
            fleet.run(&["sql", &question]).status.code(),
            Some(2),
            "{question}"
        );
    }
    assert!(!target.exists());
}
