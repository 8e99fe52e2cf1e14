//! A name for a finding that is the same on every run and machine.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// What a finding is known by: never addresses, counts or bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    pub(crate) rule: &'a str,
    pub(crate) holder: &'a str,
    pub(crate) variant: &'a str,
    pub(crate) site: Option<&'a str>,
    pub(crate) external: bool,
}

impl Identity<'_> {
    /// 16 hex digits.
    pub(crate) fn fingerprint(&self) -> String {
        let mut hasher = FxHasher::default();
        for part in [
            self.rule,
            self.holder,
            self.variant,
            self.site.unwrap_or_default(),
            if self.external { "external" } else { "held" },
        ] {
            // One byte at a time: the hash must not depend on how wide a machine's words are.
            part.bytes().for_each(|byte| hasher.write_u8(byte));
            hasher.write_u8(0xFF);
        }
        format!("{:016x}", hasher.finish())
    }
}

/// Fingerprints given so far. Findings that nothing else distinguishes are told apart by their order: those of lines of one
/// function, for lines move when a file is edited, and those of fields whose names look the same.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    given: FxHashMap<String, u32>,
}

impl Fingerprints {
    /// One that was not given before.
    pub(crate) fn give(&mut self, identity: Identity<'_>) -> String {
        let base = identity.fingerprint();
        let nth = self.given.entry(base.clone()).or_default();
        *nth += 1;
        if *nth == 1 {
            return base;
        }
        let variant = &format!("{}#{nth}", identity.variant);
        Identity { variant, ..identity }.fingerprint()
    }
}
