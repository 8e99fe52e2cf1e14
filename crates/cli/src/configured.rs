//! Options of `deadweight run` that stand in the table `[run]` of deadweight.toml.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches, Parser};
use deadweight_weigher::nearest;
use toml::{Table, Value};

use crate::arguments::Arguments;

/// The command that has such a table.
const RUN: &str = "run";

/// Which file is read, and what one writes: not for a file that is found in a folder above.
const NEVER: [&str; 2] = ["config", "output"];

/// What the command line says, with what the configuration adds to it.
#[derive(Debug)]
pub struct Configured {
    /// Both together.
    pub arguments: Arguments,
    /// What was added, for people.
    pub added: Option<String>,
}

/// Reads the command line, and for `run` the configuration. What is on the command line wins.
///
/// # Errors
/// When there is a configuration that cannot be used. What is wrong with the command line ends the process, as clap does.
pub fn read() -> anyhow::Result<Configured> {
    let given: Vec<OsString> = env::args_os().collect();
    let matches = Arguments::command().get_matches_from(&given);
    let plain = |matches: &ArgMatches| -> anyhow::Result<Configured> {
        Ok(Configured {
            arguments: Arguments::from_arg_matches(matches)?,
            added: None,
        })
    };
    let Some((RUN, run)) = matches.subcommand() else {
        return plain(&matches);
    };
    let Some(path) = file(run)? else {
        return plain(&matches);
    };
    let shown = path.display();
    let text = fs::read_to_string(&path).with_context(|| format!("{shown} could not be read"))?;
    let table: Table = text.parse().with_context(|| shown.to_string())?;
    let Some(options) = table.get(RUN) else {
        return plain(&matches);
    };
    let options = options
        .as_table()
        .with_context(|| format!("{shown}: run is no table"))?;
    let command = Arguments::command();
    let command = command.find_subcommand(RUN).context("there is no such command")?;
    let words = words(options, command, run).with_context(|| format!("{shown}: [run]"))?;
    if words.is_empty() {
        return plain(&matches);
    }
    let at = given
        .iter()
        .position(|word| word == RUN)
        .context("there is no such word")?
        + 1;
    let all = given[..at].iter().cloned();
    let all = all
        .chain(words.iter().map(OsString::from))
        .chain(given[at..].iter().cloned());
    let arguments = Arguments::try_parse_from(all).map_err(|error| {
        let said = error.render().to_string();
        let first = said
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned();
        anyhow::anyhow!(first).context(format!("{shown}: [run]"))
    })?;
    Ok(Configured {
        arguments,
        added: Some(format!("{shown} adds {}", words.join(" "))),
    })
}

/// The file that the command line names, else the nearest one, if there is any.
fn file(run: &ArgMatches) -> anyhow::Result<Option<PathBuf>> {
    if let Some(named) = run.get_one::<PathBuf>("config") {
        return Ok(Some(named.clone()));
    }
    let found = nearest(&env::current_dir()?);
    // Where it is in the working directory its name says enough.
    let here = env::current_dir()?;
    Ok(found.map(|path| path.strip_prefix(here).map(Path::to_owned).unwrap_or(path)))
}

/// The options as words of a command line, without those that are on it.
fn words(options: &Table, command: &Command, run: &ArgMatches) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    for (key, value) in options {
        let argument = command
            .get_arguments()
            .find(|argument| argument.get_long() == Some(key));
        let Some(argument) = argument.filter(|_| !NEVER.contains(&key.as_str())) else {
            bail!("there is no option {key}");
        };
        if run.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let values = match value {
            Value::Array(values) => &values[..],
            value => std::slice::from_ref(value),
        };
        let takes_none = matches!(argument.get_action(), ArgAction::SetTrue);
        let may_take_none = argument
            .get_num_args()
            .is_some_and(|number| number.min_values() == 0);
        for value in values {
            match value {
                Value::Boolean(false) if takes_none || may_take_none => {}
                Value::Boolean(true) if takes_none || may_take_none => words.push(format!("--{key}")),
                Value::String(text) if !takes_none => words.push(format!("--{key}={text}")),
                Value::Integer(number) if !takes_none => words.push(format!("--{key}={number}")),
                Value::Float(number) if !takes_none => words.push(format!("--{key}={number}")),
                other if takes_none => bail!("{key} is true or false, not {other}"),
                other => bail!("{key} cannot be {other}"),
            }
        }
    }
    Ok(words)
}
