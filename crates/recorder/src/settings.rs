//! Settings from `DEADWEIGHT_*` variables, read once at the start. README.md lists them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// What the environment asks for.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Settings {
    /// Where dumps go.
    pub directory: PathBuf,
    /// A name for this run, put into the dump.
    pub run: Vec<u8>,
    /// Where lines for who started the program go.
    pub journal: Option<PathBuf>,
    /// At the program's end.
    pub at_exit: bool,
    /// With `at_exit`: at the highest moment instead, unless the end holds nearly as much.
    pub peak: bool,
    /// At SIGUSR2.
    pub at_signal: bool,
    /// Once, when the requested bytes alive first lie above this.
    pub heap_above: Option<u64>,
    /// Once, when resident memory first lies above this.
    pub rss_above: Option<u64>,
    /// Blocks are written with what stands in them, not only hashes and zero maps.
    pub contents: bool,
    /// Fresh memory is filled with zeros.
    pub zero_fill: bool,
    /// Frames of a stack, when asked for.
    pub depth: Option<usize>,
    /// Bytes the recorder may hold, when limited.
    pub memory: Option<usize>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings, once read.
pub fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}

/// Reads the environment; nothing when this process is not one to record.
pub fn read() -> Option<&'static Settings> {
    let text = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let flag = |name: &str, otherwise: bool| text(name).map_or(otherwise, |value| value != "0");
    let directory = PathBuf::from(text("DEADWEIGHT_DIR")?);
    // The dump may be written after the program has changed its directory.
    let directory = if directory.is_absolute() {
        directory
    } else {
        std::env::current_dir().ok()?.join(directory)
    };
    let mut settings = Settings {
        directory,
        run: text("DEADWEIGHT_RUN").map(OsString::into_vec).unwrap_or_default(),
        journal: text("DEADWEIGHT_JOURNAL").map(PathBuf::from),
        contents: flag("DEADWEIGHT_CONTENT", true),
        zero_fill: flag("DEADWEIGHT_ZERO_FILL", false),
        depth: text("DEADWEIGHT_DEPTH").and_then(|value| value.to_str()?.parse().ok()),
        memory: text("DEADWEIGHT_OWN_MEMORY").and_then(|value| usize::try_from(bytes(value.to_str()?)?).ok()),
        ..Settings::default()
    };
    let when = text("DEADWEIGHT_WHEN").and_then(|value| value.into_string().ok());
    // Whoever starts a program with other recorders too has them told of the end alone.
    settings.peak = flag("DEADWEIGHT_PEAK", false);
    for part in when.as_deref().unwrap_or("peak,SIGUSR2").split(',') {
        match part.trim() {
            "exit" => settings.at_exit = true,
            "peak" => (settings.at_exit, settings.peak) = (true, true),
            "SIGUSR2" => settings.at_signal = true,
            other => match other.split_once('>') {
                Some(("heap", size)) => settings.heap_above = bytes(size),
                Some(("rss", size)) => settings.rss_above = bytes(size),
                _ => {}
            },
        }
    }
    Some(SETTINGS.get_or_init(|| settings))
}

/// A number of bytes with an optional decimal unit: `500MB`.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let factor = match text[digits..].trim() {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_decimal_units() {
        assert_eq!(bytes("500MB"), Some(500_000_000));
        assert_eq!(bytes("12"), Some(12));
        assert_eq!(bytes(" 3 GB "), Some(3_000_000_000));
        assert_eq!(bytes("MB"), None);
        assert_eq!(bytes("5 miles"), None);
        assert_eq!(bytes("99999999999GB"), None);
    }
}
