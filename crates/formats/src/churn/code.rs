//! Frames that are addresses of compiled code: named by the objects they lie in.

use deadweight_heap::churn::{Frame, Role};

use super::crystal::{self, Sources};
use super::lines::ModuleLine;
use super::returns::returns;
use super::{role, writes_logs};
use crate::error::Malformed;
use crate::native::Mapping;
use crate::native::modules::Modules;
use crate::native::symbols::{Function, Symbols};

/// The recorder, the collector and the C library: who calls them is who allocates.
const BELOW: [&str; 5] = [
    "libdeadweight_recorder",
    "libgc.so",
    "libc.so",
    "ld-linux",
    "libpthread",
];

/// The objects of a record, and what is known of their code.
#[derive(Default)]
pub(super) struct Code {
    lines: Vec<(ModuleLine, Vec<u8>)>,
    modules: Option<Modules>,
    symbols: Symbols,
    sources: Sources,
}

impl Code {
    /// Notes a mapping.
    pub fn map(&mut self, line: ModuleLine, offset: usize) -> Result<(), Malformed> {
        if line.start >= line.end {
            let found = format!("one from {} to {}", line.start, line.end);
            return Err(Malformed::new(offset, "a mapping that is not empty", found));
        }
        let build_id = bytes(&line.build_id)
            .ok_or_else(|| Malformed::new(offset, "a build id of whole bytes", line.build_id.clone()))?;
        self.lines.push((line, build_id));
        self.modules = None;
        Ok(())
    }

    /// The functions at a return address, outermost first: where functions were inlined, several. None of those that
    /// only pass on.
    pub fn frames(&mut self, return_address: u64, root: &str) -> Vec<Frame> {
        let Self {
            lines,
            modules,
            symbols,
            sources,
        } = self;
        let modules = &*modules.get_or_insert_with(|| mapped(lines));
        let inside = modules
            .at(return_address.wrapping_sub(1))
            .map(|index| modules.get(index).name());
        if inside.is_some_and(|name| BELOW.iter().any(|below| name.starts_with(below))) {
            return Vec::new();
        }
        let functions = symbols.functions(modules, return_address);
        let outermost = functions.len() - 1;
        let symbol = symbols.symbol(modules, return_address).map(str::to_owned);
        let mut frames: Vec<Frame> = functions
            .into_iter()
            .enumerate()
            .map(|(at, function)| {
                let symbol = symbol.as_deref().filter(|_| at == outermost);
                frame(function, symbol, sources, root)
            })
            .collect();
        frames.reverse();
        frames
    }
}

fn mapped(lines: &mut [(ModuleLine, Vec<u8>)]) -> Modules {
    lines.sort_by_key(|(line, _)| line.start);
    let mappings = lines.iter().map(|(line, build_id)| Mapping {
        start: line.start,
        end: line.end,
        offset: line.offset,
        readable: true,
        executable: true,
        go: false,
        path: line.path.as_bytes(),
        build_id,
    });
    Modules::mapped(mappings, None, None)
}

fn frame(function: Function, symbol: Option<&str>, sources: &mut Sources, root: &str) -> Frame {
    let role = role(&function.file, root);
    let mut frame = Frame {
        logs: writes_logs(&function.file, &function.name),
        returns: returns(&function.name, role),
        file: super::below(&function.file, root),
        function: function.name,
        line: function.line,
        column: 0,
        role,
    };
    if crystal::is_source(&function.file) {
        let place = sources.place(&function.file, function.line);
        let bare = crystal::last(&frame.function);
        let by_symbol = symbol
            .and_then(crystal::method)
            .filter(|method| crystal::last(method) == bare);
        frame.function = by_symbol.unwrap_or_else(|| place.name(&frame.function));
        // What the compiler makes of `initialize` stands where that does; who calls it is who makes the object.
        if place.is_initialize && crystal::last(&frame.function) == "new" {
            frame.role = Role::Runtime;
        }
    }
    frame
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let pairs = digits.len().is_multiple_of(2).then(|| digits.chunks_exact(2))?;
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_ids_are_whole_bytes() {
        assert_eq!(bytes("00ff1a"), Some(vec![0, 255, 26]));
        assert_eq!(bytes(""), Some(Vec::new()));
        assert_eq!((bytes("f"), bytes("0g"), bytes("\u{e9}")), (None, None, None));
    }
}
