//! The findings that a person names as mended.

use deadweight_weighing::Weighing;

use crate::WeighError;

/// The fingerprints of the findings that are named by rule, fingerprint, or RULE:HOLDER, for what is made also
/// RULE:FILE:LINE; nothing when no name is given.
///
/// # Errors
/// [`WeighError::NoFinding`] with the first name that no finding of the weighing has.
pub fn mended(before: &Weighing, names: &[String]) -> Result<Option<Vec<String>>, WeighError> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut mended = Vec::new();
    for name in names {
        let (rule, holder) = name
            .split_once(':')
            .map_or((name.as_str(), None), |(rule, holder)| (rule, Some(holder)));
        let made = before.churned.iter();
        let made = made.flat_map(|churned| churned.findings.iter().chain(&churned.options));
        let found: Vec<String> = before
            .findings
            .iter()
            .chain(&before.options)
            .chain(made)
            .filter(|finding| {
                finding.fingerprint == *name
                    || (finding.rule.eq_ignore_ascii_case(rule)
                        && holder.is_none_or(|holder| {
                            finding.holder == holder || finding.site.as_deref() == Some(holder)
                        }))
            })
            .map(|finding| finding.fingerprint.clone())
            .collect();
        if found.is_empty() {
            return Err(WeighError::NoFinding { name: name.clone() });
        }
        mended.extend(found);
    }
    Ok(Some(mended))
}
