//! Of the calls that led to an allocation the one that a person can change.

use deadweight_heap::churn::Role;
use deadweight_heap::{LineId, Lines, SourceLine};
use rustc_hash::FxHashMap;

/// The nearest lines of a stack, by their place in the list of frames.
#[derive(Clone, Copy, Default)]
struct Nearest {
    own: Option<u32>,
    /// What the own one calls of a dependency, as far as the stack is known.
    of_library: Option<u32>,
}

/// Finds the line of each stack: the innermost of the program's own, else of a dependency.
pub(crate) struct Changeable<'p> {
    /// Where each frame stands; `None` for one that nobody can change.
    frames: &'p [Option<SourceLine>],
    lines: &'p mut Lines,
    ids: FxHashMap<(u32, Option<u32>), LineId>,
    stacks: Vec<(Nearest, Option<LineId>)>,
}

impl<'p> Changeable<'p> {
    pub(crate) fn new(frames: &'p [Option<SourceLine>], lines: &'p mut Lines) -> Self {
        Self {
            frames,
            lines,
            ids: FxHashMap::default(),
            stacks: Vec::new(),
        }
    }

    /// Adds a stack: that of its caller, which was added before, and the frame that this one calls.
    pub(crate) fn push(&mut self, caller: Option<u32>, frame: u32) {
        let of_caller = caller.and_then(|caller| self.stacks.get(caller as usize));
        let (mut nearest, _) = of_caller.copied().unwrap_or_default();
        match self.frames.get(frame as usize).and_then(Option::as_ref) {
            // What was called before does not allocate here.
            Some(line) if line.role == Role::Own => {
                nearest = Nearest {
                    own: Some(frame),
                    of_library: None,
                }
            }
            Some(_) => nearest.of_library = Some(frame),
            None => {}
        }
        let line = self.line(nearest);
        self.stacks.push((nearest, line));
    }

    fn line(&mut self, Nearest { own, of_library }: Nearest) -> Option<LineId> {
        let at = own.or(of_library)?;
        let through = of_library.filter(|_| own.is_some());
        let id = self.ids.entry((at, through)).or_insert_with(|| {
            let line = self.frames[at as usize].clone().unwrap_or_default();
            let through = through.and_then(|through| self.frames[through as usize].as_ref());
            let through = through.map(through_of).unwrap_or_default();
            self.lines.add(SourceLine { through, ..line })
        });
        Some(*id)
    }

    /// The line of each stack.
    pub(crate) fn of_stacks(self) -> Vec<Option<LineId>> {
        self.stacks.into_iter().map(|(_, line)| line).collect()
    }
}

/// `upsert (node_modules/lunr/lunr.js:812)`.
fn through_of(line: &SourceLine) -> String {
    let place = format!("{}:{}", line.file, line.line);
    match line.name.as_str() {
        "" => place,
        name => format!("{name} ({place})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_own_line_stands_for_a_stack_with_what_it_calls() {
        let line = |file: &str, line, role| {
            Some(SourceLine {
                file: file.to_owned(),
                line,
                role,
                name: "load".to_owned(),
                ..SourceLine::default()
            })
        };
        let frames = [
            line("app.py", 3, Role::Own),
            line("site-packages/a.py", 9, Role::Library),
            None,
            line("app.py", 7, Role::Own),
        ];
        let mut lines = Lines::default();
        let mut found = Changeable::new(&frames, &mut lines);
        found.push(None, 0);
        found.push(Some(0), 1);
        found.push(Some(1), 2);
        found.push(Some(2), 3);
        found.push(None, 1);
        found.push(None, 2);
        let of_stacks = found.of_stacks();
        let shown: Vec<_> = of_stacks
            .iter()
            .map(|id| {
                let line = lines.get((*id)?)?;
                Some((line.file.as_str(), line.line, line.through.as_str()))
            })
            .collect();
        let through = "load (site-packages/a.py:9)";
        assert_eq!(
            shown,
            [
                Some(("app.py", 3, "")),
                Some(("app.py", 3, through)),
                Some(("app.py", 3, through)),
                Some(("app.py", 7, "")),
                Some(("site-packages/a.py", 9, "")),
                None,
            ]
        );
    }
}
