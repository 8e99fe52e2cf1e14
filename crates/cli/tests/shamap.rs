//! The case `shamap`: what C02 says of the dense program, against the programs that were rebuilt with other sizes.

mod preload;

use std::fs;
use std::path::Path;
use std::process::Command;

use deadweight_rules::sizes::{Form, Nodes};
use preload::deadweight;
use serde_json::Value;

/// Of 500,000 random keys; takes half a minute and needs what `build.sh` needs.
#[test]
#[ignore = "builds and runs large programs"]
fn predictions_hold_against_the_rebuilt_programs() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/shamap");
    assert!(Command::new(case.join("build.sh")).status().unwrap().success());
    let program = |variant: &str| case.join("build").join(format!("shamap-{variant}"));
    let measured = |variant: &str| -> u64 {
        let output = Command::new(program(variant)).arg("--measure").output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        said["measured"]["bytes_in_use"].as_u64().unwrap()
    };
    let home = tempfile::tempdir().unwrap();
    let output = deadweight()
        .current_dir(home.path())
        .args(["run", "--format", "json", "--output", "w.json", "--"])
        .arg(program("dense"))
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let weighing: Value = serde_json::from_slice(&fs::read(home.path().join("w.json")).unwrap()).unwrap();
    let nodes = weighing["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["rule"] == "C02")
        .unwrap();
    let evidence = &nodes["evidence"];
    assert_eq!(
        (&evidence["slots"], &evidence["slot_bytes"]),
        (&16.into(), &48.into())
    );
    assert_eq!(evidence["used_slots"], said["children"]);

    let used: Vec<u64> = serde_json::from_value(evidence["used_slots"].clone()).unwrap();
    let header = evidence["header_bytes"].as_u64().unwrap();
    let nodes = Nodes {
        used: &used,
        slot_bytes: 48,
        now: Form::inline(header),
        then: Form::apart(header + 8),
    };
    let glibc = deadweight_allocators::by_name("glibc").unwrap();
    let now = nodes.now.charged(16, 48, &*glibc) * used.iter().sum::<u64>();
    let dense = measured("dense");
    for (variant, sizes) in [
        ("sparse-6-16", &[6, 16][..]),
        ("sparse-2-8-16", &[2, 8, 16]),
        ("sparse-2-4-6-16", &[2, 4, 6, 16]),
    ] {
        let predicted = now - nodes.bytes_with(sizes, &*glibc).unwrap();
        let real = dense - measured(variant);
        let off = (predicted as f64 - real as f64) / real as f64;
        println!(
            "{variant}: predicted {predicted}, real {real}, {:+.4} %",
            off * 100.0
        );
        assert!(off.abs() < 0.005, "{variant}: {predicted} {real}");
    }
}
