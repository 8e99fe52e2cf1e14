//! The machine that figures were measured on.

use std::fs;

/// The machine, without its name.
pub fn shown() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let after = |text: &str, key: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(key))?
            .split_once(':')?
            .1
            .trim()
            .to_owned();
        Some(line)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = after(&read("/proc/meminfo"), "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let processor = after(&read("/proc/cpuinfo"), "model name");
    format!(
        "Machine: {cores} cores ({}), {} GB, {} {}.",
        processor.unwrap_or_else(|| "unknown processor".into()),
        memory.map_or_else(
            || "?".into(),
            |kilobytes| (kilobytes * 1024 / 1_000_000_000).to_string()
        ),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}
