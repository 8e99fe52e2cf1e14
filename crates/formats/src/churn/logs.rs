//! Which code writes logs, by its path.

/// Pieces of paths of logging libraries: of Ruby, Crystal, JavaScript, Python and Java.
pub(super) const LIBRARIES: [&str; 19] = [
    "/logger.rb",
    "/logger/",
    "/active_support/logger",
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

/// Whether a file belongs to a library that writes logs.
pub(crate) fn writes_logs(file: &str) -> bool {
    LIBRARIES.iter().any(|library| file.contains(library))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_libraries_are_known() {
        assert!(writes_logs("/usr/lib/ruby/3.1.0/logger.rb"));
        assert!(writes_logs("/usr/share/crystal/src/log/main.cr"));
        assert!(writes_logs("/usr/lib/crystal/lib/log.cr"));
        assert!(writes_logs("node:internal/console/constructor"));
        assert!(!writes_logs("/srv/app/logs/catalogue.rb"));
    }
}
