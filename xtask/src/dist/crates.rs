//! For cargo: the crates of the workspace that are published.

use deadweight_tools::shell::Shell;
use deadweight_tools::workspace;

/// Members that only the project itself uses.
const OWN: [&str; 4] = [
    "xtask",
    "deadweight-bench",
    "deadweight-experiments",
    "deadweight-tools",
];

/// Whether a member is for the project alone.
pub(super) fn is_own(name: &str) -> bool {
    OWN.contains(&name)
}

/// Packs each into `target/package`. They are not built there: none is in a registry before all are.
pub(super) fn pack() -> anyhow::Result<()> {
    let own = OWN.iter().flat_map(|own| ["--exclude", own]);
    Shell::new("cargo")
        .args([
            "package",
            "--workspace",
            "--no-verify",
            "--allow-dirty",
            "--quiet",
        ])
        .args(own)
        .current_dir(workspace::root())
        .output()?;
    Ok(())
}
