//! Time and memory over the size of a dump: both should grow as it does.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use plotters::prelude::*;

use super::contestants::{self, Contestant};
use super::inputs::{self, Format};
use super::measure::{self, Measured};

/// Bytes of the dumps, about.
const SIZES: [u64; 7] = [
    10_000_000,
    50_000_000,
    200_000_000,
    800_000_000,
    2_000_000_000,
    4_000_000_000,
    5_000_000_000,
];

/// Runs of each.
const RUNS: usize = 3;

/// One dump's figures.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub format: Format,
    pub bytes: u64,
    pub wall: Duration,
    pub cpu: Duration,
    pub anonymous: u64,
}

/// Weighs dumps of all sizes.
///
/// # Errors
/// When a dump cannot be made or weighed.
pub fn measure(deadweight: &Path, only: Option<Format>) -> anyhow::Result<Vec<Step>> {
    let mut steps = Vec::new();
    for format in Format::ALL {
        if only.is_some_and(|wanted| wanted != format) {
            continue;
        }
        for bytes in SIZES.into_iter().filter(|&bytes| bytes <= format.most_bytes()) {
            let dump = inputs::made(format, bytes, deadweight)?;
            let contestants = contestants::of(format, &dump, deadweight, true)?;
            let Some(Contestant { command, .. }) = contestants.first() else {
                continue;
            };
            measure::read_once(&dump.path)?;
            let mut measured = Measured::default();
            for turn in 0..RUNS {
                eprintln!("{}: run {}", dump.shown(), turn + 1);
                measured.add(measure::run(command)?);
            }
            let (Some(wall), Some(cpu), Some(anonymous)) =
                (measured.wall(), measured.cpu(), measured.anonymous())
            else {
                anyhow::bail!(
                    "{}: {}",
                    dump.shown(),
                    measured.failure.as_deref().unwrap_or_default()
                );
            };
            // All of them together would fill many disks.
            if bytes > format.full_bytes() {
                fs::remove_file(&dump.path)?;
            }
            steps.push(Step {
                format,
                bytes: dump.bytes,
                wall,
                cpu,
                anonymous,
            });
        }
    }
    Ok(steps)
}

/// Draws CPU time, which other work on the machine disturbs little, above memory: a line for each format.
///
/// # Errors
/// When the file cannot be written.
pub fn plot(steps: &[Step], to: &Path) -> anyhow::Result<()> {
    let drawn = || -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::new(to, (760, 700)).into_drawing_area();
        area.fill(&WHITE)?;
        let halves = area.split_evenly((2, 1));
        panel(&halves[0], steps, "CPU time, s", |step| step.cpu.as_secs_f64())?;
        panel(&halves[1], steps, "memory of no file, GB", |step| {
            step.anonymous as f64 / 1e9
        })?;
        area.present()?;
        Ok(())
    };
    drawn().map_err(|error| anyhow!("{}: {error}", to.display()))
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    steps: &[Step],
    title: &str,
    value: impl Fn(&Step) -> f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let gigabytes = |step: &Step| step.bytes as f64 / 1e9;
    let right = steps.iter().map(gigabytes).fold(0.0, f64::max) * 1.05;
    let top = steps.iter().map(&value).fold(0.0, f64::max) * 1.1;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("size of the dump, GB")
        .draw()?;
    for format in Format::ALL {
        let colour = match format {
            Format::V8 => RGBColor(0x1B, 0x6E, 0xC2),
            Format::Ruby => RGBColor(0xB4, 0x3A, 0x2F),
            Format::Native => RGBColor(0x3C, 0x7A, 0x3C),
            Format::Jvm => RGBColor(0x8A, 0x5A, 0xB8),
        };
        let points: Vec<_> = steps
            .iter()
            .filter(|step| step.format == format)
            .map(|step| (gigabytes(step), value(step)))
            .collect();
        if points.is_empty() {
            continue;
        }
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(3))?
            .label(format.name())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .border_style(BLACK)
        .draw()?;
    Ok(())
}
