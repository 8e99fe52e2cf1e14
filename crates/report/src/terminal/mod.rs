//! One screen that answers: how much, where, what do I do, what do I gain.

use std::io::Write;

use deadweight_weighing::Weighing;

use crate::palette::Palette;
use crate::{Look, Report, WriteError};

mod again;
mod balance;
mod blind;
mod churned;
mod closing;
mod curve;
mod evidence;
mod example;
mod findings;
mod flow;
mod garbage;
mod group;
mod header;
mod held_by;
mod path;
mod places;
mod row;
mod sites;
mod steps;
mod table;
mod unseen;

use table::Widths;

/// How many findings are shown unless the caller asks for more.
pub const LIMIT: usize = 10;

/// Narrower than this, lines are longer than the terminal.
const NARROWEST: usize = 72;

/// Wider than this, the eye loses the row.
const WIDEST: usize = 120;

/// The report for a person at a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Its columns and whether it shows colour.
    pub look: Look,
    /// How many findings to show; `None` shows all.
    pub limit: Option<usize>,
    /// Whether to show how each finding's objects are reached.
    pub paths: bool,
}

impl Terminal {
    /// The report with the usual number of findings.
    #[must_use]
    pub fn new(look: Look) -> Self {
        Self {
            look,
            limit: Some(LIMIT),
            paths: false,
        }
    }
}

/// What every section of the screen needs.
struct Canvas<'w> {
    weighing: &'w Weighing,
    palette: Palette,
    width: usize,
    limit: Option<usize>,
    paths: bool,
}

impl Report for Terminal {
    fn write(&self, weighing: &Weighing, out: &mut dyn Write) -> Result<(), WriteError> {
        let canvas = Canvas {
            weighing,
            palette: Palette::new(self.look.colour),
            width: self.look.width.clamp(NARROWEST, WIDEST),
            limit: self.limit,
            paths: self.paths,
        };
        let findings = findings::findings(&canvas);
        let options = findings::options(&canvas);
        let churned = churned::findings(&canvas);
        let choices = churned::options(&canvas);
        let widths = Widths::fit(canvas.width, &[&findings, &options, &churned, &choices]);
        let sections = [
            curve::past(&canvas),
            unseen::lines(&canvas),
            header::lines(&canvas),
            curve::lines(&canvas),
            balance::lines(&canvas),
            garbage::lines(&canvas),
            findings::nothing(&canvas),
            findings.lines(&canvas, &widths),
            again::lines(&canvas),
            options.lines(&canvas, &widths),
            held_by::lines(&canvas),
            churned::summary(&canvas),
            churned.lines(&canvas, &widths),
            choices.lines(&canvas, &widths),
            sites::lines(&canvas),
            blind::lines(&canvas),
            closing::lines(&canvas),
        ];
        let mut screen = String::new();
        for section in sections.iter().filter(|section| !section.is_empty()) {
            if !screen.is_empty() {
                screen.push('\n');
            }
            for line in section {
                screen.push_str(line.trim_end());
                screen.push('\n');
            }
        }
        out.write_all(screen.as_bytes())?;
        Ok(())
    }
}
