//! What a program made as profiles that other tools show: bytes by call stack.

mod flame;
mod proto;
mod scope;

use deadweight_heap::Churn;
use deadweight_heap::churn::StackId;

pub use flame::{flamegraph, folded};
pub use proto::pprof;
pub use scope::speedscope;

/// The frames of a row, outermost first, as ids; and what is shown of what has no stack.
fn outermost_first(churn: &Churn, stack: Option<StackId>) -> Vec<u32> {
    let mut frames: Vec<u32> = stack.map_or_else(Vec::new, |stack| churn.stacks.frames(stack).collect());
    frames.reverse();
    frames
}

/// A frame as one line of text.
fn shown(churn: &Churn, id: u32) -> String {
    let Some(frame) = churn.frames.get(id) else {
        return "?".to_owned();
    };
    let name = if frame.function.is_empty() {
        "(top of the file)"
    } else {
        &frame.function
    };
    let text = if frame.file.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", frame.place())
    };
    // These separate frames and figures in the folded form.
    text.replace([';', '\n', '\r'], " ")
}
