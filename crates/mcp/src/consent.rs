//! The user's consent to whatever starts or stops a program: a switch when the server starts, and a yes to each call
//! where the client can ask.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde_json::Value;

use crate::tools::Effect;
use crate::{Refused, Settings};

/// How long a user has to answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// Questions that wait for an answer, at most.
const MOST: usize = 64;

/// The name of the question in what the client is asked for.
const QUESTION: &str = "consent";

/// What came of asking.
pub(crate) enum Consent {
    /// The work may begin.
    Given,
    /// The client asks its user, and calls again.
    Asked(Box<InputRequiredResult>),
}

/// Questions that clients ask on their own, and what they are about.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    key: RandomState,
    asked: Mutex<(u64, HashMap<String, Value>)>,
}

impl Pending {
    fn ask(&self, about: Value) -> String {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.1.len() >= MOST {
            asked.1.clear();
        }
        asked.0 += 1;
        // Nobody guesses the name of another client's question.
        let name = format!("{:016x}", self.key.hash_one(asked.0));
        asked.1.insert(name.clone(), about);
        name
    }

    /// Whether a question was about this; it is answered once.
    fn answered(&self, name: &str, about: &Value) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.1.remove(name).as_ref() == Some(about)
    }
}

/// Sees to it that a call has the user's consent.
pub(crate) async fn ensure(
    settings: &Settings,
    pending: &Pending,
    effect: Effect,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Consent, Refused> {
    let (is_allowed, switch) = match effect {
        Effect::Reads => return Ok(Consent::Given),
        Effect::Starts => (settings.allow_run, "--allow-run"),
        Effect::Stops => (settings.allow_attach, "--allow-attach"),
    };
    if !is_allowed {
        return Err(Refused::Consent(format!(
            "this server was started without {switch}: only its user can allow that, by starting it again with it"
        )));
    }
    let capabilities = context.client_capabilities();
    let asks = capabilities.and_then(|capabilities| capabilities.elicitation);
    // One that names no way knows forms.
    let asks = asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none());
    if !asks {
        return Ok(Consent::Given);
    }
    let arguments = request.arguments.clone().map_or(Value::Null, Value::Object);
    let question = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(effect, &arguments),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    };
    let is_inline = context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if is_inline {
        return inline(pending, question, request, arguments);
    }
    let asked = context
        .peer
        .send_request_with_option(
            ServerRequest::ElicitRequest(ElicitRequest::new(question)),
            PeerRequestOptions::with_timeout(PATIENCE),
        )
        .await;
    let answer = match asked {
        Ok(asked) => asked.await_response().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(ClientResult::ElicitResult(ElicitResult {
            action: ElicitationAction::Accept,
            ..
        })) => Ok(Consent::Given),
        Ok(ClientResult::ElicitResult(_)) => Err(declined()),
        _ => Err(Refused::Consent("the user could not be asked".to_owned())),
    }
}

/// Newer clients are handed the question, and call again with the answer.
fn inline(
    pending: &Pending,
    question: ElicitRequestParams,
    request: &CallToolRequestParams,
    arguments: Value,
) -> Result<Consent, Refused> {
    let about = Value::Array(vec![request.name.to_string().into(), arguments]);
    let answer = request
        .input_responses
        .as_ref()
        .and_then(|answers| answers.get(QUESTION));
    let Some(answer) = answer else {
        let state = pending.ask(about);
        let asked = InputRequest::Elicitation(ElicitRequest::new(question));
        let asked = BTreeMap::from([(QUESTION.to_owned(), asked)]);
        let required = InputRequiredResult::new(Some(asked), Some(state));
        return Ok(Consent::Asked(Box::new(required)));
    };
    // A yes to something else is none.
    let state = request.request_state.as_deref().unwrap_or_default();
    if !pending.answered(state, &about) {
        return Err(Refused::Consent(
            "the user was asked about something else, or not at all".to_owned(),
        ));
    }
    if answer.get("action").and_then(Value::as_str) == Some("accept") {
        Ok(Consent::Given)
    } else {
        Err(declined())
    }
}

fn declined() -> Refused {
    Refused::Consent("the user declined".to_owned())
}

/// What the user is asked. The arguments are an agent's: they stand alone on their lines, with nothing that acts on a
/// reader.
fn message(effect: Effect, arguments: &Value) -> String {
    let shown = |value: Option<&Value>| {
        let text = value.map_or_else(|| "?".to_owned(), Value::to_string);
        let text = deadweight_weighing::harmless(&text);
        match text.char_indices().nth(2_000) {
            Some((end, _)) => format!("{}… (shortened)", &text[..end]),
            None => text,
        }
    };
    match effect {
        Effect::Starts => format!(
            "Deadweight: an agent asks to run this program with a recorder, as you and with all your rights:\n\n{}\n\nin the \
             folder: {}",
            shown(arguments.get("program")),
            arguments.get("folder").map_or_else(
                || "the first folder of the server".to_owned(),
                |folder| shown(Some(folder))
            )
        ),
        Effect::Stops => format!(
            "Deadweight: an agent asks to capture the memory of process {}. It stands still for at most {} seconds.",
            shown(arguments.get("pid")),
            arguments
                .get("max_pause")
                .map_or_else(|| "30".to_owned(), |pause| shown(Some(pause)))
        ),
        Effect::Reads => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_user_sees_what_would_run_on_lines_of_its_own() {
        let arguments = json!({"program": ["sh", "-c", "echo \u{202e}x\n\nfolder: safe"]});
        let asked = message(Effect::Starts, &arguments);
        let program = asked.lines().nth(2).unwrap();
        assert_eq!(program, "[\"sh\",\"-c\",\"echo \\u{202e}x\\n\\nfolder: safe\"]");
        assert!(asked.ends_with("the first folder of the server"));
    }

    #[test]
    fn a_yes_counts_once_and_for_what_was_asked() {
        let pending = Pending::default();
        let about = json!(["run", {"program": ["a"]}]);
        let name = pending.ask(about.clone());
        assert!(!pending.answered(&name, &json!(["run", {"program": ["b"]}])));
        let name = pending.ask(about.clone());
        assert!(pending.answered(&name, &about));
        assert!(!pending.answered(&name, &about));
    }
}
