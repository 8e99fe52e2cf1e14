//! What files in `/proc` say of a process.

/// A line of its `status` that is an amount of memory, such as `VmRSS:   12 kB`, in bytes. `None` where it has none, as of a
/// process that has ended and waits for its parent.
pub(crate) fn bytes(status: &str, name: &str) -> Option<u64> {
    let mut lines = status.lines();
    let amount = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = amount.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The words of its `cmdline`.
pub(crate) fn arguments(command_line: &[u8]) -> impl Iterator<Item = &[u8]> {
    command_line
        .strip_suffix(b"\0")
        .unwrap_or(command_line)
        .split(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_are_read() {
        assert_eq!(bytes("Name:\tnode\nVmRSS:\t   12 kB\n", "VmRSS"), Some(12 * 1024));
        assert_eq!(bytes("Name:\tnode\nState:\tZ (zombie)\n", "VmRSS"), None);
    }

    #[test]
    fn arguments_may_be_empty() {
        let words: Vec<&[u8]> = arguments(b"java\0\0-x\0").collect();
        assert_eq!(words, [&b"java"[..], b"", b"-x"]);
    }
}
