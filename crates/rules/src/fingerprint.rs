//! A name for a finding that is the same on every run and machine.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// 16 hex digits of rule, holder, variant and site; never of addresses, counts or bytes.
pub(crate) fn fingerprint(
    rule: &str,
    holder: &str,
    variant: &str,
    site: Option<&str>,
    external: bool,
) -> String {
    let mut hasher = FxHasher::default();
    for part in [
        rule,
        holder,
        variant,
        site.unwrap_or_default(),
        if external { "external" } else { "held" },
    ] {
        // One byte at a time: the hash must not depend on how wide a machine's words are.
        part.bytes().for_each(|byte| hasher.write_u8(byte));
        hasher.write_u8(0xFF);
    }
    format!("{:016x}", hasher.finish())
}
