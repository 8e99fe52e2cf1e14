//! A name for a finding that is the same on every run and machine.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// Fingerprints given so far. Findings that nothing else tells apart are told apart by their order: those of lines of one
/// function, for lines move when a file is edited, and those of fields whose names look the same.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    given: FxHashMap<String, u32>,
}

impl Fingerprints {
    /// One that was not given before.
    pub(crate) fn give(
        &mut self,
        rule: &str,
        holder: &str,
        variant: &str,
        site: Option<&str>,
        external: bool,
    ) -> String {
        let base = fingerprint(rule, holder, variant, site, external);
        let nth = self.given.entry(base.clone()).or_default();
        *nth += 1;
        if *nth == 1 {
            return base;
        }
        fingerprint(rule, holder, &format!("{variant}#{nth}"), site, external)
    }
}

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
