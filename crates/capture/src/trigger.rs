//! When a capture is taken.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// One moment at which the recorder takes a capture.
///
/// Written as `exit`, `peak`, `SIGUSR2`, or a threshold such as `rss>500MB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// When the program ends by itself, by an uncaught error, or by SIGTERM, SIGINT or SIGHUP.
    Exit,
    /// When the program held most, or at its end if that holds nearly as much.
    Peak,
    /// On the way up, whenever the program holds half as much again; the highest capture is kept.
    Climb,
    /// Each time the program receives SIGUSR2; it goes on afterwards.
    UserSignal,
    /// Once, when a measure of the process first lies above a number of bytes.
    Above {
        /// What is watched.
        measure: Measure,
        /// The bytes above which it fires.
        bytes: u64,
    },
}

/// What a threshold watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Resident memory of the process.
    Rss,
    /// The managed heap in use, garbage not yet collected included.
    Heap,
    /// Memory outside the managed heap that the runtime charges to its objects.
    External,
}

impl Measure {
    const ALL: [Self; 3] = [Self::Rss, Self::Heap, Self::External];

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|known| known.name().eq_ignore_ascii_case(name))
    }

    /// Its name in a trigger expression.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Heap => "heap",
            Self::External => "external",
        }
    }
}

/// Why a trigger expression is not understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TriggerError {
    /// Neither a known word nor a threshold.
    #[error(
        "\"{0}\" is not a trigger: expected exit, peak, climb, SIGUSR2, or a threshold such as rss>500MB"
    )]
    Unknown(String),
    /// A threshold of something that is not measured.
    #[error("\"{0}\" is not measured: expected rss, heap or external")]
    Measure(String),
    /// A threshold whose size is not a size.
    #[error("\"{0}\" is not a size: expected a number with B, KB, MB, GB, TB, KiB, MiB, GiB or TiB")]
    Size(String),
}

impl FromStr for Trigger {
    type Err = TriggerError;

    fn from_str(text: &str) -> Result<Self, TriggerError> {
        let text = text.trim();
        if let Some((measure, size)) = text.split_once('>') {
            let measure = measure.trim();
            let measure =
                Measure::by_name(measure).ok_or_else(|| TriggerError::Measure(measure.to_owned()))?;
            return Ok(Self::Above {
                measure,
                bytes: parse_size(size.trim())?,
            });
        }
        if text.eq_ignore_ascii_case("exit") {
            Ok(Self::Exit)
        } else if text.eq_ignore_ascii_case("peak") {
            Ok(Self::Peak)
        } else if text.eq_ignore_ascii_case("climb") {
            Ok(Self::Climb)
        } else if text.eq_ignore_ascii_case("SIGUSR2") {
            Ok(Self::UserSignal)
        } else {
            Err(TriggerError::Unknown(text.to_owned()))
        }
    }
}

/// The form the recorders read: sizes are whole bytes.
impl fmt::Display for Trigger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit => out.write_str("exit"),
            Self::Peak => out.write_str("peak"),
            Self::Climb => out.write_str("climb"),
            Self::UserSignal => out.write_str("SIGUSR2"),
            Self::Above { measure, bytes } => write!(out, "{}>{bytes}", measure.name()),
        }
    }
}

/// Bytes, as people write them: `512MB`, `1.5 GiB`.
///
/// # Errors
/// [`TriggerError::Size`] when it is no number with a unit of bytes.
pub fn parse_size(text: &str) -> Result<u64, TriggerError> {
    let wrong = || TriggerError::Size(text.to_owned());
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = factor(unit.trim()).ok_or_else(wrong)?;
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(factor).ok_or_else(wrong);
    }
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * factor as f64;
    // Above 2^53 a decimal fraction of a byte count has no exact meaning.
    if bytes > 9e15 {
        Err(wrong())
    } else {
        Ok(bytes.round() as u64)
    }
}

fn factor(unit: &str) -> Option<u64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(measure: Measure, bytes: u64) -> Trigger {
        Trigger::Above { measure, bytes }
    }

    #[test]
    fn words_and_thresholds_are_understood() {
        assert_eq!("exit".parse(), Ok(Trigger::Exit));
        assert_eq!("Peak".parse(), Ok(Trigger::Peak));
        assert_eq!(" sigusr2 ".parse(), Ok(Trigger::UserSignal));
        assert_eq!("rss>500MB".parse(), Ok(above(Measure::Rss, 500_000_000)));
        assert_eq!("heap > 1.5 GB".parse(), Ok(above(Measure::Heap, 1_500_000_000)));
        assert_eq!("External>64MiB".parse(), Ok(above(Measure::External, 64 << 20)));
        assert_eq!("rss>123".parse(), Ok(above(Measure::Rss, 123)));
    }

    #[test]
    fn each_mistake_has_its_own_error() {
        let error = |text: &str| text.parse::<Trigger>().unwrap_err();
        assert_eq!(error("SIGTERM"), TriggerError::Unknown("SIGTERM".into()));
        assert_eq!(error(""), TriggerError::Unknown(String::new()));
        assert_eq!(error("cpu>5"), TriggerError::Measure("cpu".into()));
        for size in [
            "",
            "MB",
            "1.2.3MB",
            "5 parsecs",
            "-5MB",
            "99999999999TB",
            "20000.5TB",
            "NaN",
            "1e9",
        ] {
            assert_eq!(
                error(&format!("rss>{size}")),
                TriggerError::Size(size.into()),
                "{size}"
            );
        }
    }

    #[test]
    fn what_is_printed_reads_back() {
        for text in [
            "exit",
            "peak",
            "climb",
            "SIGUSR2",
            "rss>500MB",
            "heap>1.5GiB",
            "external>0",
        ] {
            let trigger: Trigger = text.parse().unwrap();
            assert_eq!(trigger.to_string().parse(), Ok(trigger));
        }
    }
}
