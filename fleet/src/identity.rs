//! What makes a weighing the same as another one.

mod canonical;

use std::fmt::Write as _;
use std::io;

use sha2::{Digest as _, Sha256};

use crate::labels::Labels;
use canonical::Canonical;

/// 32 hexadecimal digits: the first half of a SHA-256 of the labels and of the weighing's JSON in its canonical form, which
/// has keys in order and no blanks. So it does not depend on who wrote the JSON, nor on which version reads it.
///
/// # Errors
/// When it is no JSON.
pub fn identity(labels: &Labels, json: &[u8]) -> serde_json::Result<String> {
    let canonical: Canonical<'_> = serde_json::from_slice(json)?;
    let mut digest = Digest(Sha256::new());
    for label in [&labels.service, &labels.version, &labels.host] {
        // No label has a zero, so that no two sets of labels are written the same.
        digest.0.update(label.as_bytes());
        digest.0.update([0]);
    }
    digest
        .0
        .update(labels.captured_at.timestamp_micros().to_be_bytes());
    // Small writes into a digest cost more than the digest.
    let mut writer = io::BufWriter::with_capacity(4096, digest);
    serde_json::to_writer(&mut writer, &canonical)?;
    let digest = writer
        .into_inner()
        .map_err(|error| serde_json::Error::io(error.into_error()))?;
    let mut id = String::with_capacity(32);
    for byte in &digest.0.finalize()[..16] {
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

struct Digest(Sha256);

impl io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn how_the_json_is_written_makes_no_difference_and_what_it_says_does() {
        let labels = |host| {
            let at = DateTime::from_timestamp(1_700_000_000, 0);
            Labels::checked(Some("api"), Some("1"), Some(host), at).unwrap()
        };
        let of = |host, json: &str| identity(&labels(host), json.as_bytes()).unwrap();
        let id = of("a", r#"{"a":1,"b":[2,"ü"]}"#);
        assert_eq!(id.len(), 32);
        assert_eq!(id, of("a", "{ \"b\": [2, \"\\u00fc\"],\n \"a\": 1 }"));
        assert_ne!(id, of("b", r#"{"a":1,"b":[2,"ü"]}"#));
        assert_ne!(id, of("a", r#"{"a":1,"b":[3,"ü"]}"#));
    }
}
