//! The tools, one file each.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Refused;
use crate::answer::{Answer, within};
use crate::budget::Budget;
use crate::caller::Caller;
use crate::desk::Desk;

mod attach;
mod check;
mod diff;
mod explain;
mod finding;
mod findings;
mod fix;
mod one;
mod path;
mod prove;
mod row;
mod run;
mod source;
mod summary;
mod weigh;

pub(crate) use attach::Attach;
pub(crate) use run::Run;

/// A tool.
pub(crate) trait Tool {
    /// Its name.
    const NAME: &'static str;
    /// What people call it.
    const TITLE: &'static str;
    /// What it does, for whoever chooses a tool.
    const DESCRIPTION: &'static str;
    /// What happens to programs and files by it.
    const EFFECT: Effect = Effect::Reads;
    /// How a caller gets what was cut of an answer.
    const REST: &'static str = "call again with a larger budget to see more";
    /// What it takes.
    type In: DeserializeOwned + JsonSchema + 'static;
    /// What it answers.
    type Out: Serialize + JsonSchema + 'static;

    /// The room that the caller has.
    fn budget(input: &Self::In) -> Budget;

    /// Does the work. What takes long looks at the caller on the way: it may have given up.
    fn call(desk: &Desk, input: Self::In, caller: &Caller) -> Result<Self::Out, Refused>;
}

/// What happens to programs and files by a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// A program is started.
    Starts,
    /// A program is stopped for a while.
    Stops,
}

/// A tool as the server knows it.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What happens to programs and files by it.
    pub effect: Effect,
    /// How it is described to clients.
    pub described: fn() -> Described,
    /// Takes arguments, and gives an answer.
    pub call: fn(&Desk, Value, &Caller) -> Result<Value, Refused>,
}

const fn entry<T: Tool>() -> Entry {
    Entry {
        name: T::NAME,
        effect: T::EFFECT,
        described: described::<T>,
        call: call::<T>,
    }
}

/// Every tool, in the order in which an agent needs them.
pub(crate) const TOOLS: [Entry; 12] = [
    entry::<weigh::Weigh>(),
    entry::<Run>(),
    entry::<Attach>(),
    entry::<findings::Findings>(),
    entry::<finding::FindingOf>(),
    entry::<path::PathToRoot>(),
    entry::<source::Source>(),
    entry::<fix::Fix>(),
    entry::<explain::Explain>(),
    entry::<prove::Prove>(),
    entry::<check::Check>(),
    entry::<diff::Diff>(),
];

fn described<T: Tool>() -> Described {
    let writes = T::EFFECT != Effect::Reads;
    let hints = ToolAnnotations::new()
        .read_only(!writes)
        .destructive(T::EFFECT == Effect::Starts)
        .idempotent(!writes)
        .open_world(writes);
    Described::new(T::NAME, T::DESCRIPTION, schema::<T::In>())
        .with_title(T::TITLE)
        .with_raw_output_schema(schema::<Answer<T::Out>>())
        .with_annotations(hints)
}

fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let schema = schemars::schema_for!(T).to_value();
    match schema {
        Value::Object(mut schema) => {
            // Types of ours are no concern of an agent.
            schema.remove("title");
            schema.values_mut().for_each(without_widths);
            Arc::new(schema)
        }
        // A schema of a struct is an object.
        _ => Arc::default(),
    }
}

/// Widths of numbers are no formats that clients know: some complain, others refuse.
fn without_widths(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_width = |format: &str| {
                ["uint", "int", "float", "double"]
                    .iter()
                    .any(|of| format.starts_with(of))
            };
            if fields.get("format").and_then(Value::as_str).is_some_and(is_width) {
                fields.remove("format");
            }
            fields.values_mut().for_each(without_widths);
        }
        Value::Array(values) => values.iter_mut().for_each(without_widths),
        _ => {}
    }
}

fn call<T: Tool>(desk: &Desk, arguments: Value, caller: &Caller) -> Result<Value, Refused> {
    let input: T::In = serde_json::from_value(arguments)?;
    let budget = T::budget(&input);
    let answer = serde_json::to_value(Answer::of(T::call(desk, input, caller)?))?;
    Ok(within(answer, budget, T::REST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_described_by_schemas_of_objects() {
        for tool in TOOLS {
            let described = (tool.described)();
            for schema in [Some(described.input_schema), described.output_schema] {
                let schema = schema.expect("a schema");
                assert_eq!(schema["type"], "object", "{}", tool.name);
                let text = serde_json::to_string(&schema).unwrap();
                assert!(!text.contains("\"format\":\""), "{}: {text}", tool.name);
            }
            assert!(described.description.is_some_and(|text| text.len() > 40));
        }
    }

    #[test]
    fn tools_that_touch_programs_say_so() {
        let touching: Vec<&str> = TOOLS
            .iter()
            .filter(|tool| tool.effect != Effect::Reads)
            .map(|tool| tool.name)
            .collect();
        assert_eq!(touching, ["run", "attach"]);
        for tool in TOOLS {
            let hints = (tool.described)().annotations.expect("hints");
            assert_eq!(
                hints.read_only_hint,
                Some(tool.effect == Effect::Reads),
                "{}",
                tool.name
            );
        }
    }
}
