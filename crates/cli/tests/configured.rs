//! Options of `deadweight run` in deadweight.toml, and `deadweight clean`.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder with a configuration, and one below it.
fn project(config: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("below")).unwrap();
    fs::write(home.path().join("deadweight.toml"), config).unwrap();
    home
}

fn run(folder: &Path, options: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--runtime", "node"])
        .args(options)
        .args(["--", "sh", "-c", "exit 3"])
        .current_dir(folder)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn options_come_from_the_nearest_configuration_and_those_given_win() {
    let home = project(
        "[run]\ndir = \"kept\"\nno-snapshot = true\nsites = false\nwhen = [\"exit\", \"rss>1GB\"]\n[budget]\nheld = \"1 MB\"\n",
    );
    let (code, said) = run(home.path(), &[]);
    assert_eq!(code, Some(3), "{said}");
    let added = "deadweight: deadweight.toml adds --dir=kept --no-snapshot --when=exit --when=rss>1GB\n";
    assert!(said.contains(added), "{said}");
    assert!(home.path().join("kept/.gitignore").is_file());
    let below = home.path().join("below");
    let (code, said) = run(&below, &["--dir", "mine", "--when", "exit"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("adds --no-snapshot\n"), "{said}");
    assert!(below.join("mine").is_dir() && !below.join("kept").exists());
    // Another file in its place, even an empty one.
    let (code, said) = run(&below, &["--config", "/dev/null"]);
    assert!(code == Some(3) && !said.contains("adds"), "{said}");
}

#[test]
fn what_cannot_be_used_is_named_with_its_file() {
    for (config, why) in [
        ("[run]\nwhom = 1\n", "there is no option whom"),
        ("[run]\noutput = \"a\"\n", "there is no option output"),
        ("[run]\nsites = \"yes\"\n", "sites is true or false"),
        ("[run]\ndir = true\n", "dir cannot be true"),
        ("[run]\nwhen = \"noon\"\n", "invalid value 'noon'"),
        ("run = 1\n", "run is no table"),
        ("[run\n", "deadweight.toml"),
    ] {
        let home = project(config);
        let (code, said) = run(&home.path().join("below"), &[]);
        assert_eq!(code, Some(2), "{config}: {said}");
        assert!(
            said.contains("deadweight.toml") && said.contains(why),
            "{config}: {said}"
        );
    }
}

#[test]
fn captures_are_removed_but_for_the_latest() {
    let home = tempfile::tempdir().unwrap();
    let captures = home.path().join("deadweight-captures");
    fs::create_dir(&captures).unwrap();
    for (nth, seconds) in [(1, 10), (2, 20), (3, 30)] {
        let path = captures.join(format!("app-7-{nth}.dwheap"));
        let file = fs::File::create(&path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds))
            .unwrap();
        fs::write(captures.join("mine.txt"), "stays").unwrap();
    }
    let clean = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
        let output = command
            .arg("clean")
            .args(arguments)
            .current_dir(home.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let listed = clean(&["--keep", "1", "--dry-run"]);
    assert!(
        listed.contains("app-7-1.dwheap\n") && listed.contains("would remove 2 captures"),
        "{listed}"
    );
    assert!(!listed.contains("app-7-3"), "{listed}");
    let removed = clean(&["--keep", "1"]);
    assert!(removed.contains("removed 2 captures"), "{removed}");
    assert!(captures.join("app-7-3.dwheap").exists() && !captures.join("app-7-2.dwheap").exists());
    assert!(clean(&[]).contains("removed 1 capture, "));
    assert!(clean(&[]).contains("nothing to remove"));
    assert!(captures.join("mine.txt").exists());
}
