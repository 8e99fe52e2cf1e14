//! What `docs/benchmarks.md` says of the run.

use std::fmt::Write as _;
use std::time::Duration;

use super::Round;
use super::growth::{self, Step};
use super::inputs::megabytes;
use crate::marks;
use deadweight_tools::{machine, workspace};

/// Writes the tables of who is compared into the page.
///
/// # Errors
/// When the page has no marks or cannot be written.
pub fn write(rounds: &[Round]) -> anyhow::Result<()> {
    marks::write("compared", &format!("{}\n\n{}", machine::shown(), tables(rounds)))
}

/// Writes the table over sizes into the page, and its plot beside it.
///
/// # Errors
/// When the page has no marks or one of them cannot be written.
pub fn write_growth(steps: &[Step]) -> anyhow::Result<()> {
    let plot = workspace::root().join("docs").join("images").join("growth.svg");
    growth::plot(steps, &plot)?;
    marks::write("growth", &format!("{}\n\n{}", machine::shown(), table(steps)))
}

/// A table for each dump. Ratios are to Deadweight's weighing, the first row.
pub fn tables(rounds: &[Round]) -> String {
    let mut text = String::new();
    for round in rounds {
        let bytes = round.dump.bytes;
        let _ = writeln!(
            text,
            "### {}, {} records\n",
            round.dump.shown(),
            round.dump.records
        );
        text.push_str(
            "| | what it does | wall, s | least to most | runs | × wall | CPU, s | resident | of no file | of the file |\n\
             |---|---|---|---|---|---|---|---|---|---|\n",
        );
        let ours = round.results.first().and_then(|(_, measured)| measured.wall());
        for (contestant, measured) in &round.results {
            let row = || {
                let (least, most) = measured.spread()?;
                let wall = measured.wall()?;
                Some(format!(
                    "{:.2} | {:.2} to {:.2} | {} | {:.2} | {:.2} | {} | {} | {:.2}",
                    wall.as_secs_f64(),
                    least.as_secs_f64(),
                    most.as_secs_f64(),
                    measured.count(),
                    ratio(wall, ours?),
                    measured.cpu()?.as_secs_f64(),
                    megabytes(measured.resident()?),
                    megabytes(measured.anonymous()?),
                    measured.anonymous()? as f64 / bytes as f64,
                ))
            };
            let row = row().unwrap_or_else(|| {
                let why = measured.failure.as_deref().unwrap_or("no run");
                format!("{} | | | | | | |", why.replace('|', "\\|"))
            });
            let _ = writeln!(text, "| {} | {} | {row} |", contestant.name, contestant.does);
        }
        text.push('\n');
    }
    text
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn table(steps: &[Step]) -> String {
    let mut text = String::from(
        "| dump | wall, s | CPU, s | memory of no file | wall, s a GB | CPU, s a GB | memory of the file |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for step in steps {
        let gigabytes = step.bytes as f64 / 1e9;
        let (wall, cpu) = (step.wall.as_secs_f64(), step.cpu.as_secs_f64());
        let _ = writeln!(
            text,
            "| {}, {} | {wall:.2} | {cpu:.2} | {} | {:.2} | {:.2} | {:.2} |",
            step.format.name(),
            megabytes(step.bytes),
            megabytes(step.anonymous),
            wall / gigabytes,
            cpu / gigabytes,
            step.anonymous as f64 / step.bytes as f64,
        );
    }
    text.push_str("\n![Time and memory over the size of the dump](images/growth.svg)\n\n");
    text
}
