//! Which code writes logs, by its path.

/// Pieces of paths of logging libraries: of Ruby, Crystal, JavaScript, Python and Java.
pub(super) const LIBRARIES: [&str; 20] = [
    "/logger.rb",
    "/logger/",
    "/active_support/logger",
    "/active_support/broadcast_logger",
    "/active_support/tagged_logging",
    "/semantic_logger/",
    "/crystal/src/log.cr",
    "/crystal/src/log/",
    "/crystal/lib/log.cr",
    "/crystal/lib/log/",
    "internal/console/",
    "node:console",
    "/node_modules/winston",
    "/node_modules/pino",
    "/node_modules/bunyan/",
    "/node_modules/debug/",
    "/node_modules/log4js/",
    "/node_modules/loglevel/",
    "/logging/__init__.py",
    "/loguru/",
];

/// Functions that only make a log, or run while its code is loaded: nothing is written there yet.
const SETS_UP: [&str; 9] = [
    "",
    "initialize",
    "new",
    "constructor",
    "__init__",
    "<module>",
    "(top of the file)",
    "<top (required)>",
    "<main>",
];

/// Whether a function of a file belongs to a library that writes logs, and does not merely set it up.
pub(crate) fn writes_logs(file: &str, function: &str) -> bool {
    LIBRARIES.iter().any(|library| file.contains(library)) && !sets_up(function)
}

fn sets_up(function: &str) -> bool {
    let name = function.rsplit(['#', '.']).next().unwrap_or_default();
    SETS_UP.contains(&name) || function.contains("<class:") || function.contains("<module:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_libraries_are_known() {
        assert!(writes_logs("/usr/lib/ruby/3.1.0/logger.rb", "Logger#add"));
        assert!(writes_logs("/usr/share/crystal/src/log/main.cr", "Log#info"));
        assert!(writes_logs("/usr/lib/crystal/lib/log.cr", "Log#info"));
        assert!(writes_logs("node:internal/console/constructor", "value"));
        assert!(!writes_logs("/srv/app/logs/catalogue.rb", "add"));
    }

    #[test]
    fn to_load_a_log_writes_nothing() {
        for function in [
            "<top (required)>",
            "<class:Logger>",
            "block in <class:Logger>",
            "Logger#initialize",
            "(top of the file)",
            "",
        ] {
            assert!(
                !writes_logs("/usr/lib/ruby/3.1.0/logger.rb", function),
                "{function}"
            );
        }
    }
}
