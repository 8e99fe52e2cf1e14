//! What nothing lists any more goes, and nothing else.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use deadweight_fleet::dataset::{Place, State, sweep};
use serde_json::Value;
use support::{Fleet, counts, lines};

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

/// The parts as engines find them that know nothing of checkpoints: what came anywhere in the log and went nowhere.
fn added_up(dataset: &Path) -> BTreeSet<String> {
    let (mut came, mut went) = (BTreeSet::new(), BTreeSet::new());
    for file in files(&dataset.join("log")) {
        let entry: Value = serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON");
        let names = entry["add"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|part| &part["name"]);
        came.extend(names.filter_map(Value::as_str).map(str::to_owned));
        let names = entry["remove"].as_array().into_iter().flatten();
        went.extend(names.filter_map(Value::as_str).map(str::to_owned));
    }
    &came - &went
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_counts_is_left() {
    let fleet = Fleet::new();
    let all = lines(700);
    // More commits than one checkpoint stands for.
    fleet.ingest(&all, &["--batch", "10"]);
    fleet.says(&["compact"]);
    fleet.ingest(&lines(30), &["--batch", "30"]);
    let dataset = fleet.dataset();
    let place = Place::open(dataset.to_str().unwrap()).unwrap();
    let state = State::read(&place).await.unwrap();
    let live: BTreeSet<String> = state.parts.keys().cloned().collect();
    assert_eq!(added_up(&dataset), live);
    // What a writer that died has left.
    fs::create_dir_all(dataset.join("findings/new")).unwrap();
    fs::write(dataset.join("findings/new/0000000001-dead.parquet"), "half a").unwrap();
    fs::write(dataset.join("unfinished/4711-0-dead"), "half a").unwrap();
    let sums = "SELECT count(*) AS rows, sum(held) AS held, (SELECT sum(saves) FROM findings) AS saves FROM weighings";
    let before = fleet.sql(sums);

    // Within the grace nothing goes.
    let kept = sweep(&place, 3600).await.unwrap();
    assert_eq!((kept.files, kept.entries, kept.unfinished), (0, 0, 0));

    let swept = sweep(&place, 0).await.unwrap();
    assert!(
        swept.files > 200 && swept.entries > 60 && swept.unfinished == 1,
        "{swept:?}"
    );
    let tables = files(&dataset)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|of| of == "parquet"));
    assert_eq!(tables.count(), live.len() * 3);
    assert_eq!(added_up(&dataset), live);
    assert_eq!(fleet.sql(sums), before);
    assert_eq!(State::read(&place).await.unwrap().parts, state.parts);
    // All are known still.
    assert_eq!(counts(&fleet.ingest(&all, &[])), (0, 700, 0));
}
