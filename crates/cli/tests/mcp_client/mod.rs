//! A client of `deadweight mcp` that says no more than the protocol asks for.

#![allow(dead_code, reason = "each test uses a part")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "arguments are written where they are handed over"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

/// How long an answer may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server on standard input and output.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    next: u64,
}

impl Server {
    /// Starts one in a folder, and greets it.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_as(folder, arguments, json!({}))
    }

    /// The same with what the client can do.
    pub fn start_as(folder: &Path, arguments: &[&str], capabilities: Value) -> Self {
        let mut child = Command::new(cargo_bin("deadweight"))
            .arg("mcp")
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut server = Self {
            input: child.stdin.take(),
            child,
            lines,
            next: 0,
        };
        let greeted = server.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(greeted["result"]["serverInfo"]["name"], "deadweight", "{greeted}");
        server.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    /// Sends a line, whatever it is.
    pub fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// The next line of the server.
    pub fn line(&self) -> Vec<u8> {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// Lines that are there already.
    pub fn ready(&self) -> Vec<Vec<u8>> {
        self.lines.try_iter().collect()
    }

    /// Asks, and waits for the answer; what else the server says meanwhile goes to `other`.
    pub fn ask_and(&mut self, method: &str, params: Value, mut other: impl FnMut(&mut Self, Value)) -> Value {
        self.next += 1;
        let id = self.next;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(request.to_string().as_bytes());
        loop {
            let message: Value = serde_json::from_slice(&self.line()).expect("JSON");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            other(self, message);
        }
    }

    /// Asks, and waits for the answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_and(method, params, |_, message| panic!("unasked: {message}"))
    }

    /// Calls a tool and returns what it found.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{tool}: {answer}");
        // Clients that know no structure read the same.
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// Calls a tool that must not work, and returns what it says.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Closes the connection; the server must end well, and its last words are returned.
    pub fn close(mut self) -> (Vec<Vec<u8>>, String) {
        drop(self.input.take());
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        let status = self.child.wait().unwrap();
        std::io::Read::read_to_string(&mut stderr, &mut errors).unwrap();
        assert!(status.success(), "{status}: {errors}");
        (self.lines.iter().collect(), errors)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that was closed is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program of Node.js whose customers have texts that nobody may see, and a snapshot of it.
pub fn write_dump(folder: &Path, name: &str) {
    let program = folder.join("customers.js");
    std::fs::write(
        &program,
        r"
class Customer {
  constructor(id) {
    this.id = id
    this.name = JSON.parse(JSON.stringify(`CANARY of Johanna number ${id % 10}`))
    this.tags = []
  }
}
globalThis.customers = Array.from({ length: 4000 }, (_, id) => new Customer(id))
require('v8').writeHeapSnapshot(process.argv[2])
",
    )
    .unwrap();
    let made = Command::new("node")
        .arg(&program)
        .arg(folder.join(name))
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}
