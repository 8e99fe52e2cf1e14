//! Bars of what is held now, what is left after all fixes, and what is outside the heap, on one scale.

use anstyle::Style;

use super::Canvas;
use crate::cut::{columns, left, right};
use crate::figures::{bytes, share};
use crate::palette::paint;

// Three textures, so that the parts are distinguishable without colour; dead weight is the hollow one.
const CONTENT: char = '█';
const RUNTIME: char = '▒';
const DEAD: char = '░';
// Dead weight if assumptions hold, beside that which is sure.
const LIKELY: char = '·';

#[derive(Clone)]
struct Part {
    bytes: u64,
    texture: char,
    style: Style,
    name: &'static str,
}

struct Bar {
    label: &'static str,
    parts: Vec<Part>,
    remark: String,
}

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let (held, external) = (&canvas.weighing.held, &canvas.weighing.external);
    if held.bytes == 0 && external.bytes == 0 {
        return Vec::new();
    }
    let palette = &canvas.palette;
    let part = |bytes, texture, style, name| Part {
        bytes,
        texture,
        style,
        name,
    };
    let content = || part(held.content, CONTENT, palette.content, "content");
    let runtime = || part(held.runtime, RUNTIME, palette.runtime, "runtime");
    let dead = |dead: u64, sure: Option<u64>| match sure.map(|sure| (sure, dead.saturating_sub(sure))) {
        None | Some((0, _) | (_, 0)) => vec![part(dead, DEAD, palette.dead, "dead weight")],
        Some((sure, likely)) => vec![
            part(sure, DEAD, palette.dead, "dead"),
            part(likely, LIKELY, palette.dead, "likely dead"),
        ],
    };

    let mut bars = vec![Bar {
        label: "held",
        parts: [vec![content(), runtime()], dead(held.dead, held.dead_sure)].concat(),
        remark: String::new(),
    }];
    if held.dead > 0 {
        let remark = format!("{} less", share(held.dead, held.bytes));
        bars.push(Bar {
            label: "after fixes",
            parts: vec![content(), runtime()],
            remark,
        });
    }
    if external.bytes > 0 {
        let needed = external.bytes.saturating_sub(external.dead);
        let mut parts = vec![part(needed, CONTENT, palette.content, "content")];
        parts.extend(dead(external.dead, external.dead_sure));
        let remark = if external.dead > 0 {
            format!("{} dead", bytes(external.dead))
        } else {
            String::new()
        };
        bars.push(Bar {
            label: "external",
            parts,
            remark,
        });
    }

    let most = held.bytes.max(external.bytes);
    let widest = |of: &dyn Fn(&Bar) -> usize| bars.iter().map(of).max().unwrap_or_default();
    let labels = widest(&|bar| bar.label.len());
    let figures = widest(&|bar| columns(&bytes(bar.sum())));
    let remarks = widest(&|bar| columns(&bar.remark));
    let before = labels + 2 + figures + 2;
    let room = canvas.width.saturating_sub(before + 2 + remarks);
    let mut lines: Vec<String> = bars
        .iter()
        .map(|bar| {
            let label = left(bar.label, labels);
            let figure = right(&bytes(bar.sum()), figures);
            let drawn: String = bar
                .cells(most, room)
                .into_iter()
                .map(|(cells, part)| paint(part.style, part.texture.to_string().repeat(cells)))
                .collect();
            let remark = paint(palette.strong, &bar.remark);
            format!("{label}  {}  {drawn}  {remark}", paint(palette.strong, figure))
        })
        .collect();
    if held.bytes > 0 {
        lines.extend(legend(&bars[0], canvas.width, before));
    }
    lines
}

impl Bar {
    fn sum(&self) -> u64 {
        self.parts
            .iter()
            .fold(0, |sum, part| part.bytes.saturating_add(sum))
    }

    /// Cells of each part. Every part ends where the sum up to it ends, so that equal parts of two bars line up and
    /// roundings do not add up; a part that is there at all shows at least one cell.
    fn cells(&self, most: u64, room: usize) -> Vec<(usize, &Part)> {
        let mut sum = 0_u64;
        let mut drawn = 0;
        let mut cells = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            sum = sum.saturating_add(part.bytes);
            let end = (sum as f64 / most.max(1) as f64 * room as f64).round() as usize;
            let wide = end.saturating_sub(drawn).max(usize::from(part.bytes > 0));
            let wide = wide.min(room.saturating_sub(drawn));
            drawn += wide;
            cells.push((wide, part));
        }
        cells
    }
}

/// What each texture stands for: under the bars, or as far to the left as it needs; one below the other when the line
/// is too short for all.
fn legend(bar: &Bar, width: usize, under: usize) -> Vec<String> {
    let name = |part: &Part| format!("{} {}", part.name, bytes(part.bytes));
    let entry = |part: &Part| format!("{} {}", paint(part.style, part.texture), name(part));
    let wide: usize = bar.parts.iter().map(|part| columns(&name(part)) + 2 + 3).sum();
    let Some(spare) = (width + 3).checked_sub(wide) else {
        return bar.parts.iter().map(entry).collect();
    };
    let indent = under.min(spare);
    let entries: Vec<String> = bar.parts.iter().map(entry).collect();
    vec![format!("{:indent$}{}", "", entries.join("   "))]
}
