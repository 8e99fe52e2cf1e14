//! Which service, version and host a weighing is of, and when its dump was captured.

use chrono::{DateTime, Days, NaiveDate, Utc};

/// Names longer than this are no names.
const LONGEST: usize = 200;

/// Of what a weighing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The service.
    pub service: String,
    /// The version of the service that ran.
    pub version: String,
    /// The machine, container or process it ran in: whatever is one place where a fix arrives or not.
    pub host: String,
    /// When the dump was captured.
    pub captured_at: DateTime<Utc>,
}

/// Why labels cannot be taken.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum LabelError {
    /// One is missing.
    #[error("no {0} is given")]
    Missing(&'static str),
    /// One is no name.
    #[error("the {0} must have 1 to {LONGEST} bytes and no control characters")]
    NoName(&'static str),
    /// No time.
    #[error("{0:?} is no time: seconds since 1970, or such as 2026-03-01T12:00:00Z")]
    NoTime(String),
    /// A time at which nothing was captured.
    #[error("{0} cannot be when it was captured: it is before 2000 or more than a day ahead")]
    OffTime(DateTime<Utc>),
}

impl Labels {
    /// Labels as they came.
    ///
    /// # Errors
    /// When one is missing or cannot be one.
    pub fn checked(
        service: Option<&str>,
        version: Option<&str>,
        host: Option<&str>,
        captured_at: Option<DateTime<Utc>>,
    ) -> Result<Self, LabelError> {
        let captured_at = captured_at.ok_or(LabelError::Missing("time of capture"))?;
        let ahead = Utc::now().checked_add_days(Days::new(1));
        if captured_at.timestamp() < 946_684_800 || ahead.is_some_and(|ahead| captured_at > ahead) {
            return Err(LabelError::OffTime(captured_at));
        }
        Ok(Self {
            service: name("service", service)?,
            version: name("version", version)?,
            host: name("host", host)?,
            captured_at,
        })
    }

    /// The day of the capture, in UTC.
    #[must_use]
    pub fn day(&self) -> NaiveDate {
        self.captured_at.date_naive()
    }
}

fn name(what: &'static str, given: Option<&str>) -> Result<String, LabelError> {
    let given = given.ok_or(LabelError::Missing(what))?;
    let is_name = (1..=LONGEST).contains(&given.len()) && !given.chars().any(char::is_control);
    if is_name {
        Ok(given.to_owned())
    } else {
        Err(LabelError::NoName(what))
    }
}

/// A time as seconds since 1970, or as RFC 3339 has it.
///
/// # Errors
/// When it is neither.
pub fn time(text: &str) -> Result<DateTime<Utc>, LabelError> {
    let wrong = || LabelError::NoTime(text.chars().take(60).collect());
    if let Ok(seconds) = text.parse::<f64>() {
        let micros = seconds * 1e6;
        let is_time = micros.is_finite() && micros.abs() < 1e17;
        return is_time
            .then(|| DateTime::from_timestamp_micros(micros.round() as i64))
            .flatten()
            .ok_or_else(wrong);
    }
    let time = DateTime::parse_from_rfc3339(text).map_err(|_| wrong())?;
    Ok(time.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_or_written_out() {
        let day = |text: &str| time(text).unwrap().to_rfc3339();
        assert_eq!(day("1772366400"), "2026-03-01T12:00:00+00:00");
        assert_eq!(day("1772366400.25"), "2026-03-01T12:00:00.250+00:00");
        assert_eq!(day("2026-03-01T13:00:00+01:00"), "2026-03-01T12:00:00+00:00");
        for wrong in ["", "yesterday", "inf", "1e30"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_cannot_be_a_label_is_refused() {
        let labels = |service, seconds| {
            let at = DateTime::from_timestamp(seconds, 0);
            Labels::checked(service, Some("1"), Some("h"), at)
        };
        assert!(labels(Some("api"), 1_700_000_000).is_ok());
        assert_eq!(labels(None, 1_700_000_000), Err(LabelError::Missing("service")));
        assert_eq!(
            labels(Some("a\nb"), 1_700_000_000),
            Err(LabelError::NoName("service"))
        );
        assert_eq!(
            labels(Some(""), 1_700_000_000),
            Err(LabelError::NoName("service"))
        );
        assert!(matches!(labels(Some("api"), 0), Err(LabelError::OffTime(_))));
        assert!(matches!(
            labels(Some("api"), 99_999_999_999),
            Err(LabelError::OffTime(_))
        ));
    }
}
