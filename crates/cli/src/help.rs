//! What stands below the options in the help of each command: examples, and what its exit code means.

/// `deadweight --help`.
pub const ALL: &str = "\
Examples:
  deadweight run -- node server.js        run a program and weigh its memory
  deadweight attach 4711                  weigh a program that runs already
  deadweight prove BEFORE AFTER           what a fix promised, and what it saved
  deadweight explain D01                  what a rule finds, and how to fix it

Exit codes: 0 done, 1 a budget of `check` is broken, 2 input or arguments that
cannot be used. `run` ends with the code of the program.";

/// `deadweight run --help`.
pub const RUN: &str = "\
Examples:
  deadweight run -- node server.js        weigh at the end, and at each SIGUSR2
  deadweight run --when 'rss>500MB' -- ruby app.rb
  deadweight run --when peak -- ./build   weigh when it holds most
  deadweight run --churn -- node app.js   also what is allocated, by line
  deadweight run --every 10m --keep 5 -- node server.js

Exit codes: that of the program, even if nothing was captured; 127 if there is
no such program, 126 if it cannot be run; 2 arguments that cannot be used.";

/// `deadweight attach --help`.
pub const ATTACH: &str = "\
Examples:
  deadweight attach 4711                  weigh process 4711
  deadweight attach --max-pause 5s 4711   only if it stands still for <= 5 s
  deadweight attach --cdp http://127.0.0.1:9222

Exit codes: 0 weighed, 2 the process cannot be captured.";

/// `deadweight weigh --help`.
pub const WEIGH: &str = "\
Examples:
  deadweight weigh deadweight-captures    the latest capture there
  deadweight weigh app.heapsnapshot       a dump from elsewhere; also .gz, .zst
  deadweight weigh --all --paths CAPTURE  every finding, and how it is reached
  deadweight weigh --format json -o weighing.json CAPTURE

Exit codes: 0 weighed, whatever was found; 2 input that cannot be read. Use
`deadweight check` to fail on findings.";

/// `deadweight prove --help`.
pub const PROVE: &str = "\
Examples:
  deadweight prove before after           captures, dumps or weighings
  deadweight prove --mended D01 before after
  deadweight prove --format markdown -o proof.md before after

Exit codes: 0 compared, whatever came of it; 2 input that cannot be read.";

/// `deadweight fix --help`.
pub const FIX: &str = "\
Examples:
  deadweight fix                          what the latest capture can edit
  deadweight fix --finding D01 CAPTURE    a diff that `git apply` takes
  deadweight fix --write --finding T03 CAPTURE

Exit codes: 0 shown or written, also if there is nothing to edit; 2 input that
cannot be read, or files that git could not restore.";

/// `deadweight diff --help`.
pub const DIFF: &str = "\
Examples:
  deadweight diff first second            what grew
  deadweight diff first second third      what grew each time, and may leak

Exit codes: 0 compared, whatever grew; 2 input that cannot be read.";

/// `deadweight check --help`.
pub const CHECK: &str = "\
Examples:
  deadweight check deadweight-captures    the budgets of deadweight.toml
  deadweight check --update-baseline deadweight-captures
  deadweight check --format sarif -o deadweight.sarif CAPTURE
  deadweight check --explain budget.rules

Exit codes: 0 all budgets hold, 1 one is broken, 2 input or configuration that
cannot be used.";

/// `deadweight view --help`.
pub const VIEW: &str = "\
Examples:
  deadweight view                         the latest capture in the browser
  deadweight view -o report.html CAPTURE  one file that loads nothing

Exit codes: 0 written, 2 input that cannot be read.";

/// `deadweight clean --help`.
pub const CLEAN: &str = "\
Examples:
  deadweight clean                        remove all captures here
  deadweight clean --keep 3               but the latest three
  deadweight clean --dry-run              only list what would go

Exit codes: 0 removed, or there was nothing to remove; 2 a capture cannot be
removed.";

/// `deadweight strip --help`.
pub const STRIP: &str = "\
Example:
  deadweight strip app.heapsnapshot -o stripped.heapsnapshot

Exit codes: 0 written, 2 input that cannot be read, or an output that is there
already.";

/// `deadweight export --help`.
pub const EXPORT: &str = "\
Examples:
  deadweight export CAPTURE -o flame.svg  a capture of `run --churn`
  deadweight export --format pprof CAPTURE -o profile.pb.gz

Exit codes: 0 written, 2 no record of allocations.";

/// What manual pages say of `deadweight fleet`; its own help comes from the program that it runs.
pub const FLEET: &str = "\
Examples:
  deadweight fleet ingest DIR             take in all weighings of a folder
  deadweight fleet top                    dead weight by service, what to fix
  deadweight fleet serve                  take in weighings over HTTP; a page

Exit codes: those of `deadweight-fleet`; 2 if it is not installed.";

/// `deadweight explain --help`.
pub const EXPLAIN: &str = "\
Example:
  deadweight explain D01                  `deadweight rules` lists the codes

Exit codes: 0 shown, 2 no such rule.";

/// `deadweight rules --help`.
pub const RULES: &str = "\
Example:
  deadweight rules

Exit code: 0.";

/// `deadweight mcp --help`.
pub const MCP: &str = "\
Examples:
  deadweight mcp                          dumps and captures below this folder
  deadweight mcp --root app --allow-run   programs may be started there, too
  deadweight mcp --http 127.0.0.1:7341    by HTTP, for clients on this machine

Exit codes: 0 the client has gone, 2 a folder or address that cannot be used.";

/// `deadweight library --help`.
pub const LIBRARY: &str = "\
Example:
  deadweight library native               a path for LD_PRELOAD

Exit codes: 0 printed, 2 it cannot be unpacked.";

/// `deadweight completions --help`.
pub const COMPLETIONS: &str = "\
Example:
  deadweight completions bash

Exit code: 0.";

/// `deadweight man --help`.
pub const MAN: &str = "\
Examples:
  deadweight man                          the page of all commands
  deadweight man DIR                      the pages of each command

Exit codes: 0 written, 2 a directory that cannot be written to.";

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use crate::arguments::Arguments;

    /// The examples in a help text: lines that begin with the program's name, up to their remark.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let lines = help.lines().filter_map(|line| line.strip_prefix("  deadweight "));
        let commands = lines.map(|line| line.split("  ").next().unwrap_or(line));
        commands
            .map(|command| {
                let words = command
                    .split_whitespace()
                    .map(|word| word.trim_matches('\'').to_owned());
                std::iter::once("deadweight".to_owned()).chain(words).collect()
            })
            .collect()
    }

    #[test]
    fn each_command_shows_examples_that_it_takes_and_its_exit_codes() {
        let all = Arguments::command();
        let commands = all.get_subcommands().chain([&all]);
        for command in commands {
            let name = command.get_name();
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.contains("Exit code"), "{name} does not say its exit codes");
            assert!(
                help.lines().all(|line| line.len() <= 80),
                "{name} is wider than a terminal"
            );
            let examples = examples(&help);
            assert!(!examples.is_empty(), "{name} has no example");
            for example in examples {
                let own = name == "deadweight" || example[1] == name;
                assert!(own, "{name}: {example:?}");
                if let Err(error) = Arguments::try_parse_from(&example) {
                    panic!("{example:?}: {error}");
                }
            }
        }
    }

    #[test]
    fn options_for_reading_stand_where_they_act() {
        let mut all = Arguments::command();
        all.build();
        for command in all.get_subcommands() {
            let has = |name: &str| {
                command
                    .get_arguments()
                    .any(|argument| argument.get_long() == Some(name))
            };
            // What an agent is shown is another question.
            let is_server = command.get_name() == "mcp";
            let reads = ![
                "clean",
                "fleet",
                "explain",
                "rules",
                "library",
                "completions",
                "man",
                "help",
            ]
            .contains(&command.get_name());
            assert_eq!(has("quiet"), reads && !is_server, "{}", command.get_name());
            assert_eq!(has("memory-limit"), reads, "{}", command.get_name());
            assert_eq!(
                has("redact"),
                reads && !is_server && command.get_name() != "strip",
                "{}",
                command.get_name()
            );
        }
    }

    #[test]
    fn options_for_reading_may_stand_before_or_behind_the_command() {
        for line in [
            "deadweight --quiet --redact --memory-limit 64MB weigh x",
            "deadweight weigh --quiet --redact --memory-limit 64MB x",
        ] {
            let reading = Arguments::parse_from(line.split(' ')).reading();
            assert!(reading.redact && reading.room.quiet, "{line}");
            assert_eq!(reading.room.memory_limit, Some(64_000_000), "{line}");
        }
    }
}
