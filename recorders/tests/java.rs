//! The recorder for Java is in the repository as it was compiled, so that a clean clone builds without a JDK.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_jar_is_what_its_source_compiles_to() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let home = tempfile::tempdir().unwrap();
    let jar = home.path().join("made.jar");
    let version = Command::new("javac").arg("-version").output();
    let version = version
        .expect("this test needs a JDK of version 17 or later")
        .stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let built = Command::new(folder.join("build.sh")).arg(&jar).status().unwrap();
    assert!(built.success());
    let made = fs::read(&jar).unwrap();
    let kept = deadweight_recorders::JAVA[0].1;
    assert!(
        made == kept,
        "recorders/java/build.sh was not run since the source changed, or another compiler writes other bytes: {version}"
    );
}
