//! Resources: what was weighed and proved in this session, the rules' pages, and the published schema.

use deadweight_rules::rulebook;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;

use crate::budget::{fit, harmless, size};
use crate::desk::Desk;

/// What resources of this server begin with.
const SCHEME: &str = "deadweight://";

/// Bytes of a resource: clients read them whole.
const MOST: usize = 1 << 20;

/// The resource of a weighing or a proof of this session.
pub(crate) fn uri_of(id: &str) -> String {
    match id.strip_prefix('p') {
        Some(_) => format!("{SCHEME}proof/{id}"),
        None => format!("{SCHEME}weighing/{id}"),
    }
}

/// Every resource there is.
pub(crate) fn list(desk: &Desk) -> Vec<Resource> {
    let (weighings, proofs) = desk.session().kept();
    let mut resources = Vec::new();
    for weighed in weighings {
        let name = format!("weighing {}", weighed.id);
        resources.push(
            Resource::new(uri_of(&weighed.id), name)
                .with_description("a weighing of this session, as docs/weighing.schema.json describes it")
                .with_mime_type("application/json"),
        );
    }
    for proved in proofs {
        let name = format!("proof {}", proved.id);
        resources.push(
            Resource::new(uri_of(&proved.id), name)
                .with_description("a proof of this session, as docs/proof.schema.json describes it")
                .with_mime_type("application/json"),
        );
    }
    for page in rulebook().pages() {
        resources.push(
            Resource::new(
                format!("{SCHEME}rule/{}", page.code),
                format!("{} {}", page.code, page.title),
            )
            .with_description("what the rule finds, how it predicts, how to fix it")
            .with_mime_type("text/markdown"),
        );
    }
    resources.push(
        Resource::new(format!("{SCHEME}schema/weighing"), "schema of weighings")
            .with_description("the published JSON Schema of weighings")
            .with_mime_type("application/schema+json"),
    );
    resources
}

/// How their names are made.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    [
        ("weighing/{id}", "a weighing of this session", "application/json"),
        ("proof/{id}", "a proof of this session", "application/json"),
        ("rule/{code}", "the page of a rule", "text/markdown"),
    ]
    .map(|(template, name, kind)| {
        ResourceTemplate::new(format!("{SCHEME}{template}"), name).with_mime_type(kind)
    })
    .into()
}

/// What a resource holds; nothing when there is none of that name.
pub(crate) fn read(desk: &Desk, uri: &str) -> Option<ResourceContents> {
    let (kind, name) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let (text, mime) = match kind {
        "weighing" => {
            let weighed = desk.session().weighing(name).ok()?;
            (
                json(serde_json::to_value(&weighed.weighing).ok()?),
                "application/json",
            )
        }
        "proof" => {
            let proved = desk.session().proof(name)?;
            (
                json(serde_json::to_value(&proved.proof).ok()?),
                "application/json",
            )
        }
        "rule" => (rulebook().page(name)?.markdown.clone(), "text/markdown"),
        "schema" if name == "weighing" => (deadweight_weighing::schema(), "application/schema+json"),
        _ => return None,
    };
    Some(ResourceContents::text(text, uri).with_mime_type(mime))
}

/// A value in at most so many bytes, of which lists give way: what is left is still of its schema.
fn json(mut value: Value) -> String {
    harmless(&mut value);
    if size(&value) > MOST {
        fit(&mut value, MOST);
    }
    value.to_string()
}
