//! Memory that the dump does not show, in one sentence.

use deadweight_weighing::{Unseen, UnseenOf};

use crate::figures::bytes;

/// How much of what is not in the dump: `91.8 MB of the 139.0 MB resident at the capture are not in this dump, …`.
pub(crate) fn sentence(unseen: &Unseen) -> String {
    let whole = bytes(unseen.whole);
    let of = match unseen.of {
        UnseenOf::Resident => format!("the {whole} resident at the capture"),
        UnseenOf::ResidentPeak => format!("the {whole} that the process had resident at its highest"),
        UnseenOf::InUse => format!("the {whole} in use at the program's end"),
        UnseenOf::HeldPeak => format!("the {whole} that the program held at its highest"),
        UnseenOf::Run => format!("the {whole} that a process of this run had resident at its highest"),
    };
    let own = match unseen.base {
        0 => String::new(),
        base => format!("; {} are the runtime's own", bytes(base)),
    };
    format!(
        "{} of {of} are not in this dump, which shows {}{own}",
        bytes(unseen.bytes()),
        bytes(unseen.shown)
    )
}
