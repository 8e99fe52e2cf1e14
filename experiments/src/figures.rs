//! What a case measures by a command of its own, for its table of what was published.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::manifest::Case;
use crate::report::Section;
use deadweight_tools::nodes;
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::workspace;

/// Runs the command and reads the one JSON object that it prints; an empty one of cases that have none.
///
/// # Errors
/// When it fails or prints something else.
pub fn measured(deadweight: &Path, folder: &Path, case: &Case) -> anyhow::Result<Map<String, Value>> {
    let Some(figures) = &case.figures else {
        return Ok(Map::new());
    };
    let node = nodes::node(nodes::PROVEN[0])?;
    let scratch = workspace::target()
        .join("cases")
        .join(format!("{}-figures", case.name));
    fs::create_dir_all(&scratch)?;
    let (program, arguments) = figures.command.split_first().context("a command is empty")?;
    println!("\n{}: figures by {}", case.name, figures.command.join(" "));
    let output = Shell::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", path_with(node.directory()))
        .env("DEADWEIGHT", deadweight)
        .env("DEADWEIGHT_SCRATCH", scratch)
        .output()?;
    serde_json::from_slice(&output).with_context(|| format!("{program} prints no JSON object"))
}

/// Figures with the rows of the fixes beside them: `/rows/NAME` of the case as it is, `/shapes/SHAPE/rows/NAME` of its
/// other shapes.
pub fn with_rows<'a>(figures: Map<String, Value>, sections: impl IntoIterator<Item = &'a Section>) -> Value {
    let mut all = Value::Object(figures);
    for section in sections {
        let rows = match &section.shape {
            None => &mut all["rows"],
            Some(shape) => &mut all["shapes"][shape]["rows"],
        };
        for row in section.tables.iter().flat_map(|(_, rows)| rows) {
            // The first table of a case has its fixes one by one; later ones have some of them once more.
            if rows[&row.name].is_null() {
                rows[&row.name] = json!({
                    "predicted": row.predicted.sum(),
                    "measured": row.measured.sum(),
                    "external": row.measured.external,
                    "error": row.error(),
                    "share": row.measured.sum() as f64 / row.whole as f64,
                    "cpu": row.cpu.map(|cpu| cpu.change),
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{row, section};
    use super::*;

    #[test]
    fn rows_stand_beside_figures() {
        let figures = json!({ "own": 1 }).as_object().unwrap().clone();
        let main = section(None, vec![row("class", 101, 100), row("intern", 50, 50)]);
        let other = section(Some("published"), vec![row("class", 7, 8)]);
        let all = with_rows(figures, [&main, &other]);
        for (pointer, expected) in [
            ("/own", json!(1)),
            ("/rows/class/predicted", json!(101)),
            ("/rows/class/share", json!(0.1)),
            ("/rows/intern/measured", json!(50)),
            ("/shapes/published/rows/class/measured", json!(8)),
        ] {
            assert_eq!(all.pointer(pointer), Some(&expected), "{pointer}");
        }
    }
}
