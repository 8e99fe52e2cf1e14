//! A capture of a running program of Node.js: the recorder is loaded through the inspector and takes it from inside.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::crowd::share_of_a_core;
use super::exchange::Exchange;
use super::inspector::Inspector;
use super::protocol::Client;
use super::target::Target;
use super::{AttachError, AttachPlan, Attached, Estimate};
use crate::capture::read_capture;
use crate::recorder::NodeRecorder;

/// The piece of the recorder that is called from outside.
const ENTRY: &str = "attach.cjs";

/// The longest that a program stands still for each megabyte of its heap, in milliseconds: measured on hard cases, see
/// the recorder's README. Node.js 18 is slower.
const PAUSE_PER_MEGABYTE: u64 = 110;
const PAUSE_PER_MEGABYTE_OF_18: u64 = 720;

/// How long to wait beyond what was estimated, before the program is left alone.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the recorder says of the process.
#[derive(Deserialize)]
struct Cost {
    pid: u32,
    version: String,
    heap_used: u64,
    needed: f64,
    available: Option<f64>,
}

impl Cost {
    /// `share` is what a thread gets of a core.
    fn estimate(&self, share: f64) -> Estimate {
        let major = self
            .version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok());
        let each = match major {
            Some(0..=18) => PAUSE_PER_MEGABYTE_OF_18,
            _ => PAUSE_PER_MEGABYTE,
        };
        let idle_pause = Duration::from_millis(self.heap_used.div_ceil(1_000_000) * each);
        Estimate {
            heap: self.heap_used,
            memory: self.needed as u64,
            available: self.available.map(|bytes| bytes as u64),
            idle_pause,
            pause: idle_pause.div_f64(share),
        }
    }
}

pub(super) fn capture(
    target: &Target,
    plan: &AttachPlan,
    mut before: impl FnMut(&Estimate) + Send,
) -> Result<Attached, AttachError> {
    let exchange = Exchange::with(target, &plan.directory, Some(&NodeRecorder))?;
    // Only what talks to the inspector moves into the network of the process.
    let directory = target.in_its_network(|| {
        let inspector = Inspector::of(target)?;
        let conversation = || Conversation::with(target, &inspector.url, &exchange.recorder);
        let taken = conversation().and_then(|mut conversation| {
            let cost: Cost = conversation.ask("cost()", PATIENCE)?;
            if cost.pid != target.own_pid() {
                return Err(conversation.failed(format!("it was process {} that answered", cost.pid)));
            }
            let estimate = cost.estimate(share_of_a_core(target.pid));
            before(&estimate);
            plan.allow(target.pid, &estimate)?;
            let settings = json!({
                "DEADWEIGHT_DIR": exchange.captures,
                "DEADWEIGHT_FORCE": if plan.force { "1" } else { "0" },
            });
            conversation.ask::<PathBuf>(&format!("take({settings})"), estimate.pause + PATIENCE)
        });
        if inspector.was_closed {
            // The capture counts; that the inspector stays open is seen by who looks for it.
            let _ =
                conversation().and_then(|mut conversation| conversation.ask::<Value>("close()", PATIENCE));
        }
        taken
    })??;
    let capture = read_capture(&exchange.fetch(&directory)?)?;
    let seconds = capture.record.cost.as_ref().map_or(0.0, |cost| cost.seconds);
    Ok(Attached {
        capture,
        pause: Duration::from_secs_f64(seconds),
    })
}

/// Calls of the recorder's functions in the process.
struct Conversation {
    client: Client,
    pid: u32,
    module: PathBuf,
}

impl Conversation {
    fn with(target: &Target, url: &str, recorder: &Path) -> Result<Self, AttachError> {
        Ok(Self {
            client: Client::connect(url)?,
            pid: target.pid,
            module: recorder.join(ENTRY),
        })
    }

    /// What a call gives; it may take as long as `patience`.
    fn ask<T: DeserializeOwned>(&mut self, call: &str, patience: Duration) -> Result<T, AttachError> {
        let module = self.module.to_string_lossy();
        let parameters = json!({
            "expression": format!("require({}).{call}", json!(module)),
            // `require` is among what the console has.
            "includeCommandLineAPI": true,
            "returnByValue": true,
            "silent": true,
        });
        let answer = self
            .client
            .call("Runtime.evaluate", &parameters, patience, |_| Ok(()))?;
        let thrown = &answer["exceptionDetails"];
        if !thrown.is_null() {
            let text = thrown["exception"]["description"]
                .as_str()
                .or(thrown["text"].as_str());
            let first = text.and_then(|text| text.lines().next());
            return Err(self.failed(first.unwrap_or("it threw something").to_owned()));
        }
        let value = answer["result"]["value"].clone();
        serde_json::from_value(value).map_err(|error| self.failed(error.to_string()))
    }

    fn failed(&self, why: String) -> AttachError {
        AttachError::Recorder { pid: self.pid, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(version: &str, heap: u64, available: Option<f64>) -> Estimate {
        cost_in_crowd(version, heap, available, 1.0)
    }

    fn cost_in_crowd(version: &str, heap: u64, available: Option<f64>, share: f64) -> Estimate {
        let said = json!({
            "pid": 7, "version": version, "heap_used": heap, "needed": heap * 6, "available": available,
        });
        serde_json::from_value::<Cost>(said).unwrap().estimate(share)
    }

    #[test]
    fn what_takes_too_long_or_too_much_is_not_begun() {
        let plan = |seconds, force| AttachPlan {
            directory: PathBuf::new(),
            max_pause: Duration::from_secs(seconds),
            force,
        };
        let small = cost("22.1.0", 50_000_000, Some(1e9));
        assert!(plan(6, false).allow(7, &small).is_ok());
        let pause = plan(5, true).allow(7, &small).unwrap_err();
        assert!(
            pause.to_string().contains("about 5.5 s") && pause.to_string().contains("--max-pause 6s"),
            "{pause}"
        );
        // So it does on a machine on which others compute.
        let crowded = cost_in_crowd("22.1.0", 50_000_000, Some(1e9), 0.25);
        assert_eq!(crowded.pause, 4 * small.pause);
        assert!(plan(6, false).allow(7, &crowded).is_err());
        assert!(plan(22, false).allow(7, &crowded).is_ok());
        // Node.js 18 stands still for longer.
        assert!(
            plan(6, false)
                .allow(7, &cost("18.20.4", 50_000_000, None))
                .is_err()
        );
        let large = cost("24.0.0", 3_000_000_000, Some(200e6));
        let memory = plan(1000, false).allow(7, &large).unwrap_err();
        assert!(
            memory.to_string().contains("18000 MB") && memory.to_string().contains("200 MB"),
            "{memory}"
        );
        assert!(plan(1000, true).allow(7, &large).is_ok());
    }
}
