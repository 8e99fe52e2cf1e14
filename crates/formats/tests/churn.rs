//! Records of allocations and heap profiles: what is read, and how what is broken is named.

use std::path::Path;

use deadweight_formats::heapprofile::{self, ProfileFacts};
use deadweight_formats::{ReadError, churn};
use deadweight_heap::churn::{Role, Sampling};
use deadweight_heap::{Churn, Kind, Presence};
use proptest::prelude::*;

const RECORD: &str = r#"{"deadweight":"churn","version":1,"runtime":{"name":"ruby","version":"3.1.2"},"root":"/srv/app","future":[1]}
{"frame":{"function":"Validator#short?","file":"/srv/app/validator.rb","line":12}}
{"frame":{"function":"String#lines","future":{}}}
{"stack":[null,0]}
{"stack":[0,1]}
{"type":{"name":"String","kind":"string"}}
{"type":{"name":"Array","kind":"array"}}
{"row":{"stack":1,"type":0,"count":100,"bytes":4000,"largest":40,"kept":1,"kept_bytes":40,"distinct":100}}
{"row":{"stack":1,"type":1,"count":2,"bytes":1680,"kept":0,"kept_bytes":0,"empty":1,"empty_bytes":40}}
{"end":{"operations":2,"rows":2,"heap_used":2100000}}
"#;

fn read(text: &str) -> Result<Churn, ReadError> {
    churn::read(text.as_bytes(), Path::new("x"))
}

fn offset(text: &str) -> (u64, String) {
    match read(text) {
        Err(ReadError::Malformed { offset, expected, .. }) => (offset, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_is_read() {
    let churn = read(RECORD).unwrap();
    assert_eq!(
        (churn.bytes(), churn.objects(), churn.operations),
        (5680, Some(102), 2)
    );
    let row = churn.rows.get(0).unwrap();
    let own = churn.own(row.stack.unwrap()).unwrap();
    assert_eq!((own.place().as_str(), own.role), ("validator.rb:12", Role::Own));
    assert_eq!(churn.callee(row.stack.unwrap()).unwrap().function, "String#lines");
    assert_eq!((row.kind, churn.type_name(row)), (Kind::String, "String"));
    assert_eq!(churn.coverage.fills, Presence::Present);
    assert_eq!(churn.coverage.contents, Presence::Partial);
    assert_eq!(churn.coverage.survivors, Presence::Present);
    assert_eq!(churn.totals.heap_used, Some(2_100_000));
    assert!(churn.partial.is_none());
}

#[test]
fn sampled_records_are_scaled() {
    let one_of = RECORD.replace("\"future\":[1]", "\"sampling\":{\"every_objects\":50}");
    let churn = read(&one_of).unwrap();
    assert_eq!(
        (churn.bytes(), churn.sampling),
        (50 * 5680, Sampling::Objects(50))
    );
    let row = churn.rows.get(0).unwrap();
    assert_eq!((row.count, row.kept_bytes, row.samples), (5000, Some(2000), 100));
    let by_bytes = RECORD.replace("\"future\":[1]", "\"sampling\":{\"every_bytes\":4000}");
    let churn = read(&by_bytes).unwrap();
    // 40 bytes of each 4,000: one object of 100.5 is seen.
    assert_eq!(churn.rows.get(0).unwrap().count, 10_050);
}

const WINDOWS: &str = r#"{"deadweight":"churn","version":1,"sampling":{"windows":{"objects":1000,"seen":[10,0,10,10,10,10]}}}
{"type":{"name":"String","kind":"string"}}
{"row":{"type":0,"count":40,"bytes":1600,"largest":40,"windows":[[0,10,400],[2,10,400],[3,10,400],[5,10,400]]}}
{"row":{"type":0,"among":[1,3],"count":10,"bytes":400,"largest":40,"windows":[[4,10,400]]}}
{"end":{"rows":2}}
"#;

#[test]
fn windows_are_scaled_by_the_objects_there_were() {
    let churn = read(WINDOWS).unwrap();
    assert_eq!((churn.bytes(), churn.objects()), (40_000, Some(1000)));
    let row = churn.rows.get(0).unwrap();
    assert_eq!((row.count, row.bytes, row.samples), (800, 32_000, 40));
    assert_eq!(churn.rows.get(1).unwrap().among, Some((1, 3)));
    // All windows are alike in their sum, and differ in what each row made.
    assert_eq!(churn.all().high, 40_000);
    let bounds = churn.bounds([(0, row)]);
    assert!(bounds.low >= 1600 && bounds.high > bounds.bytes, "{bounds:?}");
    assert!(churn.partial.is_none());
    let few = WINDOWS
        .replace("[10,0,10,10,10,10]", "[20,0,10,10,0,10]")
        .replace("[4,10,400]", "[0,10,400]");
    assert!(read(&few).unwrap().partial.unwrap().contains("too short a time"));
}

#[test]
fn windows_that_do_not_fit_are_named() {
    for (good, bad, expected) in [
        ("\"objects\":1000", "\"objects\":49", "no more objects seen"),
        ("[[4,10,400]]", "[[1,10,400]]", "the number of a window"),
        ("[[4,10,400]]", "[[9,10,400]]", "the number of a window"),
        ("[[4,10,400]]", "[[4,9,400]]", "windows with 10 objects"),
        ("\"among\":[1,3]", "\"among\":[3,3]", "a range"),
    ] {
        let (_, found) = offset(&WINDOWS.replace(good, bad));
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_record_that_ends_early_is_partial_wherever_it_is_cut() {
    let first = RECORD.find('\n').unwrap() + 1;
    let end = RECORD.find("{\"end\"").unwrap();
    for at in first..end + 5 {
        let churn = read(&RECORD[..at]).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert!(churn.partial.is_some(), "{at}");
    }
}

#[test]
fn what_does_not_fit_is_named_with_its_offset() {
    let at = |what: &str| RECORD.find(what).unwrap() as u64;
    for (from, to, line) in [
        ("\"stack\":[0,1]", "\"stack\":[7,1]", "{\"stack\":[0"),
        ("\"stack\":[0,1]", "\"stack\":[0,9]", "{\"stack\":[0"),
        (
            "\"stack\":1,\"type\":0",
            "\"stack\":2,\"type\":0",
            "{\"row\":{\"stack\":1,\"type\":0",
        ),
        ("\"type\":0,", "\"type\":2,", "{\"row\":{\"stack\":1,\"type\":0"),
        ("\"kept\":1,", "\"kept\":101,", "{\"row\":{\"stack\":1,\"type\":0"),
        (
            "\"bytes\":4000",
            "\"bytes\":18446744073709551615",
            "{\"row\":{\"stack\":1,\"type\":0",
        ),
    ] {
        assert!(RECORD.contains(from), "{from}");
        assert_eq!(offset(&RECORD.replacen(from, to, 1)).0, at(line), "{to}");
    }
    assert_eq!(offset(&RECORD.replace("\"version\":1,", "\"version\":2,")).0, 0);
    assert_eq!(offset(&RECORD.replace("\"rows\":2", "\"rows\":3")).1, "3 rows");
    let broken = RECORD.replace("{\"stack\":[0,1]}", "{\"stack\":[0,}");
    assert!(offset(&broken).0 > at("{\"stack\":[0"));
    assert_eq!(offset(&format!("{RECORD}{{}}\n")).0, RECORD.len() as u64);
}

const PROFILE: &str = r#"{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[
{"callFrame":{"functionName":"countLines","scriptId":"9","url":"file:///srv/my%20app/a.js","lineNumber":2,"columnNumber":19},"selfSize":0,"id":2,"children":[
{"callFrame":{"functionName":"split","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":44336,"id":3,"children":[]}]}]},
"samples":[{"size":20192,"nodeId":3,"ordinal":1},{"size":24144,"nodeId":3,"ordinal":2}]}"#;

/// A record of a program of Crystal, as the preload recorder writes it, with frames that are named already.
const CRYSTAL: &str = r#"{"deadweight":"churn","version":1,"runtime":{"name":"crystal"},"root":"/srv/app"}
{"frame":{"function":"Client#get","file":"/srv/app/src/client.cr","line":12}}
{"frame":{"function":"Array(UInt8).new","file":"/usr/lib/crystal/lib/array.cr","line":112}}
{"frame":{"function":"__crystal_malloc64","file":"/usr/lib/crystal/lib/gc.cr","line":24}}
{"frame":{"function":"Slice.new","file":"/usr/lib/crystal/lib/slice.cr","line":90}}
{"frame":{"function":"Pointer.malloc","file":"/usr/lib/crystal/lib/primitives.cr","line":164}}
{"stack":[null,0]}
{"stack":[0,1]}
{"stack":[1,2]}
{"stack":[0,3]}
{"stack":[3,4]}
{"stack":[4,2]}
{"row":{"stack":2,"count":100,"bytes":3200,"requested":2400,"largest":32,"head":19,"kept":0,"kept_bytes":0,"blank":90,"blank_bytes":2880}}
{"row":{"stack":5,"count":100,"bytes":6400,"requested":5000,"largest":64,"kept":0,"kept_bytes":0,"blank":100,"blank_bytes":6400}}
{"row":{"stack":5,"count":10,"bytes":160,"requested":0,"largest":16,"head":0,"kept":0,"kept_bytes":0,"blank":10,"blank_bytes":160}}
{"end":{"rows":3,"allocated":9760,"lost_blocks":0,"missed_collections":0}}
"#;

#[test]
fn what_a_program_of_crystal_made_is_known_by_its_frames() {
    let churn = read(CRYSTAL).unwrap();
    let rows: Vec<_> = churn
        .rows
        .iter()
        .map(|row| (churn.type_name(row), row.kind, row.empty))
        .collect();
    assert_eq!(
        rows,
        [
            ("Array(UInt8)", Kind::Array, Some(90)),
            // Of what has room only the room counts: it may hold zeros.
            ("Bytes", Kind::Buffer, None),
            ("Bytes", Kind::Buffer, Some(10)),
        ]
    );
    assert!(churn.partial.is_none());
    let own: Vec<_> = churn
        .rows
        .iter()
        .filter_map(|row| churn.own(row.stack?))
        .collect();
    assert!(own.len() == 3 && own.iter().all(|own| own.place() == "src/client.cr:12"));
}

#[test]
fn what_the_recorder_lost_makes_a_record_partial() {
    for lost in ["\"lost_blocks\":7", "\"missed_collections\":7"] {
        let name = lost.split(':').next().unwrap();
        let churn = read(&CRYSTAL.replace(&format!("{name}:0"), lost)).unwrap();
        assert!(churn.partial.unwrap().contains('7'));
    }
}

#[test]
fn addresses_without_their_code_are_frames_all_the_same() {
    let text = CRYSTAL
        .replace(
            r#"{"frame":{"function":"Client#get","file":"/srv/app/src/client.cr","line":12}}"#,
            "{\"module\":{\"path\":\"/no/such/file\",\"start\":4096,\"end\":8192,\"build_id\":\"00ff\"}}\n\
             {\"frame\":{\"address\":5000}}",
        )
        .replace(
            r#"{"function":"Slice.new","file":"/usr/lib/crystal/lib/slice.cr","line":90}"#,
            r#"{"address":18446744073709551615}"#,
        );
    let churn = read(&text).unwrap();
    let row = churn.rows.get(0).unwrap();
    assert!(churn.own(row.stack.unwrap()).is_none());
    let functions: Vec<&str> = churn.frames.iter().map(|frame| frame.function.as_str()).collect();
    assert!(
        functions.contains(&"file+0x387") && functions.contains(&"0xffffffffffffffff"),
        "{functions:?}"
    );
}

#[test]
fn modules_that_are_none_are_named_with_their_offset() {
    let head = CRYSTAL.find('\n').unwrap() + 1;
    for (module, expected) in [
        (
            r#"{"path":"/a","start":8192,"end":8192}"#,
            "a mapping that is not empty",
        ),
        (
            r#"{"path":"/a","start":1,"end":2,"build_id":"f"}"#,
            "a build id of whole bytes",
        ),
    ] {
        let mut text = CRYSTAL.to_owned();
        text.insert_str(head, &format!("{{\"module\":{module}}}\n"));
        assert_eq!(offset(&text), (head as u64, expected.to_owned()));
    }
}

fn profile(text: &str) -> Result<Churn, ReadError> {
    let facts = ProfileFacts {
        every_bytes: Some(20_168),
        root: "/srv/my app".into(),
        ..ProfileFacts::default()
    };
    heapprofile::read(text.as_bytes(), &facts, Path::new("x"))
}

#[test]
fn a_heap_profile_is_read() {
    let churn = profile(PROFILE).unwrap();
    assert_eq!(churn.bytes(), 20_192 + 24_144);
    // Sizes of objects are not recorded, so they are not counted. One is of 32 bytes, a piece of the text; the other is a
    // list that has a slot for each of 631 of them, or a flat copy of the text.
    let rows: Vec<_> = churn
        .rows
        .iter()
        .map(|row| (row.bytes, row.samples, row.operand))
        .collect();
    assert_eq!(rows, [(20_192 + 631 * 8, 1, false), (24_144 - 631 * 8, 1, true)]);
    assert_eq!(churn.objects(), None);
    let stack = churn.rows.get(0).unwrap().stack.unwrap();
    assert_eq!(churn.own(stack).unwrap().place(), "a.js:3");
    assert_eq!(churn.callee(stack).unwrap().function, "split");
    assert_eq!(churn.coverage.lines, Presence::Partial);
}

#[test]
fn with_a_byte_between_samples_every_object_is_there() {
    let facts = ProfileFacts {
        every_bytes: Some(1),
        ..ProfileFacts::default()
    };
    let text = "{\"head\":{\"id\":1},\"samples\":[{\"size\":24,\"nodeId\":1},{\"size\":32,\"nodeId\":1}]}";
    let churn = heapprofile::read(text.as_bytes(), &facts, Path::new("x")).unwrap();
    assert_eq!(churn.sampling, Sampling::Exact);
    assert_eq!((churn.bytes(), churn.rows.get(0).unwrap().count), (56, 2));
}

#[test]
fn a_distance_of_nothing_is_none() {
    let facts = ProfileFacts {
        every_bytes: Some(0),
        ..ProfileFacts::default()
    };
    let text = "{\"head\":{\"id\":1,\"selfSize\":24}}";
    let churn = heapprofile::read(text.as_bytes(), &facts, Path::new("x")).unwrap();
    assert_eq!(churn.sampling, Sampling::Bytes(524_288));
}

#[test]
fn a_sample_of_a_node_that_is_not_in_the_tree_still_counts() {
    let churn = profile("{\"head\":{\"id\":1},\"samples\":[{\"size\":20192,\"nodeId\":86}]}").unwrap();
    assert_eq!((churn.bytes(), churn.rows.get(0).unwrap().stack), (20_192, None));
}

#[test]
fn hostile_profiles_are_named() {
    let deep = format!(
        "{{\"head\":{}",
        "{\"callFrame\":{},\"children\":[".repeat(100_000)
    );
    let nested = format!("{{\"head\":{{}},\"x\":{}", "[".repeat(100_000));
    for text in [
        deep.as_str(),
        nested.as_str(),
        "{\"head\":{}",
        "{\"head\":1}",
        "{\"head\":{\"selfSize\":-1}}",
        "{\"head\":{},\"samples\":[{\"size\":18446744073709551615,\"nodeId\":0},{\"size\":18446744073709551615,\"nodeId\":0}]}",
    ] {
        assert!(
            matches!(profile(text), Err(ReadError::Malformed { .. })),
            "{}",
            &text[..text.len().min(60)]
        );
    }
}

proptest! {
    #[test]
    fn no_change_of_a_byte_makes_a_reader_panic(at in 0..RECORD.len(), to in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = RECORD.as_bytes().to_vec();
        bytes[at] = to;
        if cut { bytes.truncate(at); }
        let _ = churn::read(&bytes, Path::new("x"));
        let mut bytes = PROFILE.as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] = to;
        if cut { bytes.truncate(at); }
        let _ = heapprofile::read(&bytes, &ProfileFacts::default(), Path::new("x"));
    }
}
