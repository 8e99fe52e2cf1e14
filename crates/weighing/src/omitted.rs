//! Which values a field leaves out of the JSON.

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}
