//! Hashes of texts that come from strangers.

use std::hash::{BuildHasher, RandomState};

use siphasher::sip128::SipHasher13;

/// A hash function with a key of this run, which nobody else knows: no dump can be made in which different texts have the
/// same hash.
pub(crate) fn secret_hasher() -> SipHasher13 {
    let secret = RandomState::new();
    SipHasher13::new_with_keys(secret.hash_one(0), secret.hash_one(1))
}
