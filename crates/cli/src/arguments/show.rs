//! How results are shown.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Reading;

/// How to show the result.
#[derive(Args, Clone, Debug)]
pub struct Show {
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// List every finding, however small
    #[arg(long)]
    pub all: bool,
    /// Show what each place keeps alive: the bytes that would go with it
    #[arg(long)]
    pub retained: bool,
    /// Show how the objects of each finding are reached from a root; JSON and HTML do so unasked in all but large heaps
    #[arg(long = "paths")]
    pub reached: bool,
    /// Write the report to a file, readable by its owner alone
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// How text looks.
#[derive(Args, Clone, Debug)]
pub struct Look {
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// A form of report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One screen for a person
    #[default]
    Terminal,
    /// The weighing as JSON, for machines
    Json,
    /// One page for a browser that needs no network
    Html,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
