//! Stripped records of allocations say what was made, and nothing of their program.

mod stripping;

use std::fs;

use stripping::{same_figures, stripped};

const RECORD: &str = r#"{"deadweight":"churn","version":1,"runtime":{"name":"ruby","version":"3.1.2","word_bytes":8,"allocator":"glibc"},"root":"/srv/warehouse","host":"riga-7"}
{"frame":{"function":"Validator#too_short?","file":"/srv/warehouse/validator.rb","line":12}}
{"frame":{"function":"String#lines"}}
{"frame":{"function":"Pallet::Label#print","file":"/srv/warehouse/vendor/bundle/ruby/3.1.0/gems/pallet-1.2/lib/label.rb","line":7}}
{"frame":{"function":"Logger#add","file":"/usr/lib/ruby/3.1.0/logger.rb","line":400,"mood":"verbose"}}
{"stack":[null,0]}
{"stack":[0,1]}
{"stack":[0,2]}
{"stack":[0,3]}
{"type":{"name":"String","kind":"string"}}
{"type":{"name":"Pallet::Invoice","kind":"record","part":true}}
{"row":{"stack":1,"type":0,"count":12000,"bytes":480000,"largest":40,"kept":0,"kept_bytes":0,"note":"for Johanna"}}
{"row":{"stack":2,"type":1,"count":9000,"bytes":360000,"largest":40,"kept":0,"kept_bytes":0,"among":[0,9],"internal":true}}
{"row":{"stack":3,"type":0,"count":9000,"bytes":360000,"largest":40,"kept":0,"kept_bytes":0}}
{"end":{"operations":3,"rows":3,"heap_used":2100000}}
"#;

const PROFILE: &str = r#"{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[
{"callFrame":{"functionName":"countLines","scriptId":"9","url":"file:///srv/my%20warehouse/invoices.js","lineNumber":2,"columnNumber":19},"selfSize":0,"id":2,"children":[
{"callFrame":{"functionName":"formatLabel","scriptId":"9","url":"file:///srv/my%20warehouse/node_modules/winston/pallet.js","lineNumber":2,"columnNumber":19},"selfSize":0,"id":4,"children":[]},
{"callFrame":{"functionName":"splitPallet","scriptId":"0","url":"node:internal/fs","lineNumber":-1,"columnNumber":-1},"selfSize":44336,"id":3,"children":[]}]},
{"callFrame":{"functionName":"countLines","scriptId":"9","url":"file:///srv/my%20warehouse/invoices.js","lineNumber":2,"columnNumber":19},"selfSize":0,"id":5,"children":[]}]},
"samples":[{"size":20192,"nodeId":3,"ordinal":1},{"size":24144,"nodeId":4,"ordinal":2},{"size":24144,"nodeId":5,"ordinal":3},{"size":24144,"nodeId":86,"ordinal":4}]}"#;

const SECRETS: [&str; 18] = [
    "Validator",
    "too_short",
    "short",
    "warehouse",
    "validator",
    "Pallet",
    "pallet",
    "Label",
    "label",
    "Invoice",
    "riga",
    "Johanna",
    "verbose",
    "countLines",
    "invoices",
    "formatLabel",
    "print",
    "splitPallet",
];

fn tried(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    fs::write(&path, text).unwrap();
    let before = same_figures(&path);
    assert!(before.churned.is_some());
    let stripped = String::from_utf8(stripped(&path)).unwrap();
    for secret in SECRETS {
        assert!(!stripped.contains(secret), "{secret}: {stripped}");
    }
    stripped
}

#[test]
fn a_record_keeps_its_figures_and_loses_its_names() {
    let stripped = tried(RECORD);
    assert!(stripped.starts_with("{\"deadweight\":\"churn\","), "{stripped}");
    for kept in [
        "vendor/bundle/",
        "/gems/",
        "/logger.rb",
        "String#lines",
        "Logger#add",
        "\"role\":\"own\"",
        "\"role\":\"library\"",
        "\"logs\":true",
    ] {
        assert!(stripped.contains(kept), "{kept}: {stripped}");
    }
    assert_eq!(stripped.lines().count(), RECORD.lines().count());
}

const SAMPLED: &str = r#"{"deadweight":"churn","version":1,"runtime":{"name":"ruby","version":"3.1.2","word_bytes":8,"allocator":"glibc"},"root":"/srv/warehouse","sampling":{"windows":{"objects":6000,"seen":[10,12,10,8,10,10]}}}
{"frame":{"function":"Validator#too_short?","file":"/srv/warehouse/validator.rb","line":12}}
{"stack":[null,0]}
{"type":{"name":"String","kind":"string"}}
{"row":{"stack":0,"type":0,"count":60,"bytes":2400,"largest":40,"kept":0,"kept_bytes":0,"windows":[[0,10,400],[1,12,480],[2,10,400],[3,8,320],[4,10,400],[5,10,400]]}}
{"end":{"operations":3,"rows":1}}
"#;

#[test]
fn a_sampled_record_keeps_its_windows() {
    assert!(tried(SAMPLED).contains("\"windows\":[[0,10,400]"));
}

#[test]
fn a_record_that_was_cut_off_stays_one() {
    for at in [
        RECORD.find("{\"end").unwrap(),
        RECORD.find("\"stack\":3").unwrap() + 4,
    ] {
        let stripped = tried(&RECORD[..at]);
        assert!(!stripped.contains("\"end\""));
    }
}

#[test]
fn a_profile_keeps_its_tree_and_loses_its_names() {
    let stripped = tried(PROFILE);
    for kept in ["/node_modules/winston", "node:internal/fs", "(root)"] {
        assert!(stripped.contains(kept), "{kept}: {stripped}");
    }
    // One function in two places of the tree has one placeholder.
    let tree: serde_json::Value = serde_json::from_str(&stripped).unwrap();
    let called = |at: usize| tree["head"]["children"][at]["callFrame"].clone();
    assert_eq!(called(0), called(1));
    assert_ne!(called(0), tree["head"]["children"][0]["children"][0]["callFrame"]);
}

const ADDRESSES: &str = r#"{"deadweight":"churn","version":1,"runtime":{"name":"crystal","version":"1.6.0","word_bytes":8,"allocator":"boehm"},"root":"/srv/warehouse"}
{"module":{"path":"/srv/warehouse/pallet-server","start":93824992231424,"end":93824992477184,"offset":0,"build_id":"5f0c"}}
{"frame":{"address":93824992419840}}
{"frame":{"address":93824992419900}}
{"stack":[null,0]}
{"stack":[0,1]}
{"row":{"stack":1,"count":12000,"bytes":480000,"largest":40,"kept":10,"kept_bytes":400,"requested":0,"blank":3,"blank_bytes":120}}
{"row":{"stack":0,"count":9000,"bytes":360000,"largest":40,"kept":0,"kept_bytes":0,"head":7}}
{"end":{"operations":3,"rows":2,"allocated":840000}}
"#;

#[test]
fn a_record_of_addresses_keeps_what_was_read_of_them() {
    let stripped = tried(ADDRESSES);
    assert!(
        !stripped.contains("module") && !stripped.contains("address"),
        "{stripped}"
    );
    assert_eq!(stripped.matches("\"row\"").count(), 2, "{stripped}");
}
