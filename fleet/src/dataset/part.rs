//! A part: the rows of some weighings, in one file for each table.

use std::collections::BTreeMap;
use std::time::SystemTime;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::place::random;
use crate::tables::Table;

/// Rows of some weighings, in one immutable file for each table: `TABLE/NAME.parquet`.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Part {
    /// `new/…` as it came in; `service=…/…` once it holds a single service.
    pub name: String,
    /// The service, where it holds a single one by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The day of its first capture, in UTC.
    pub first_day: NaiveDate,
    /// The day of its last capture.
    pub last_day: NaiveDate,
    /// Rows in each table.
    pub rows: BTreeMap<Table, u64>,
    /// Bytes of all its files.
    pub bytes: u64,
    /// When its files were begun; known to their writer alone.
    #[serde(skip)]
    pub(crate) written: Option<SystemTime>,
}

impl Part {
    /// The file of a table.
    #[must_use]
    pub fn file(&self, table: Table) -> String {
        format!("{table}/{}.parquet", self.name)
    }

    /// How many weighings it has.
    #[must_use]
    pub fn weighings(&self) -> u64 {
        self.rows.get(&Table::Weighings).copied().unwrap_or_default()
    }

    /// Whether it came in and was not sorted by service yet.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.service.is_none()
    }
}

/// A name that no part ever had. Names are not used twice: what was removed under a name is gone for good.
pub(crate) fn name_for(service: Option<&str>, version: u64) -> String {
    let unique = format!("{version:010}-{:016x}", random());
    match service {
        None => format!("new/{unique}"),
        Some(service) => format!("service={}/{unique}", as_folder(service)),
    }
}

/// A service's name as one of a folder, in every file system and store.
fn as_folder(service: &str) -> String {
    use std::fmt::Write as _;
    let mut name = String::new();
    for (at, byte) in service.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || b"_-".contains(&byte) || (byte == b'.' && at > 0) {
            name.push(char::from(byte));
        } else {
            // A percent sign would be written out again by who makes an address of the path.
            let _ = write!(name, "+{byte:02x}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_one_folder() {
        assert_eq!(as_folder("api-2.eu"), "api-2.eu");
        assert_eq!(as_folder("../a b/ü"), "+2e.+2fa+20b+2f+c3+bc");
        assert_ne!(as_folder("a+20b"), as_folder("a b"));
        assert_ne!(name_for(None, 1), name_for(None, 1));
    }
}
