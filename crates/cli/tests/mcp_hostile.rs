//! `deadweight mcp` under requests that no client should send: it answers, goes on, reads nothing outside of its folders
//! and shows no text of a dump. The requests are the same in each run.

mod mcp_client;

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use mcp_client::{Server, write_dump};
use serde_json::{Map, Value, json};

/// Requests over standard input, and by HTTP.
const REQUESTS: u64 = 10_000;
const BY_HTTP: u64 = 400;

/// Requests that may be unanswered at a time.
const AHEAD: usize = 64;

/// A text of a dump in the folder, and one of a file outside.
const TEXTS: [&str; 2] = ["CANARY", "OUTSIDE"];

/// Numbers that follow from their seed alone (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.roll() % most as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, choice: &[&'a T]) -> &'a T {
        choice[self.below(choice.len())]
    }
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A root with a dump, what is nearly a dump, and links that lead out; outside of it a weighing, a dump and a program.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [
            "root",
            "root/sub",
            "outside",
            "outside/capture.deadweight",
            "root/capture.deadweight",
        ] {
            fs::create_dir(at(name)).unwrap();
        }
        write_dump(&at("outside"), "dump.heapsnapshot");
        let dump = fs::read(at("outside/dump.heapsnapshot")).unwrap();
        fs::write(at("root/dump.heapsnapshot"), &dump).unwrap();
        let outside = String::from_utf8_lossy(&dump).replace("CANARY", "OUTSIDE");
        fs::write(at("outside/dump.heapsnapshot"), outside).unwrap();
        fs::write(at("outside/secret.js"), "const OUTSIDE = 'OUTSIDE'\n").unwrap();
        // Dumps that are cut or changed: their errors may quote them.
        fs::write(at("root/cut.heapsnapshot"), &dump[..dump.len() / 2]).unwrap();
        let text = String::from_utf8_lossy(&dump);
        let strings = text.find("\"strings\"").unwrap();
        let mut broken = text[..strings + 40].to_owned();
        broken.push_str("CANARY\u{1}\" CANARY ] } CANARY");
        fs::write(at("root/broken.heapsnapshot"), broken).unwrap();
        fs::write(
            at("root/names.heapsnapshot"),
            text.replacen("\"node_count\"", "\"CANARY\"", 1),
        )
        .unwrap();
        let weighing = "{\"schema\": \"deadweight/weighing/2\", \"source\": \"CANARY\", \"CANARY\": 1}";
        fs::write(at("root/weighing.json"), weighing).unwrap();
        fs::write(
            at("root/other.json"),
            "{\"schema\": \"deadweight/weighing/CANARY\"}",
        )
        .unwrap();
        fs::write(at("root/deadweight.toml"), "[budget]\nheld = \"CANARY\"\n").unwrap();
        fs::write(
            at("root/outside.toml"),
            "[baseline]\nfile = \"../outside/secret.js\"\n",
        )
        .unwrap();
        fs::write(
            at("root/capture.deadweight/capture.json"),
            "{\"schema\": \"CANARY\"}",
        )
        .unwrap();
        symlink(at("outside"), at("root/link")).unwrap();
        symlink(at("outside/dump.heapsnapshot"), at("root/link.heapsnapshot")).unwrap();
        symlink("/", at("root/top")).unwrap();
        symlink("self", at("root/self")).unwrap();
        symlink(
            at("outside/dump.heapsnapshot"),
            at("root/sub/linked.heapsnapshot"),
        )
        .unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(at("root/pipe"))
                .status()
                .unwrap()
                .success()
        );
        Self { folder }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("root")
    }

    /// A path that may lead anywhere.
    fn path(&self, dice: &mut Dice) -> String {
        let name = dice.of(&[
            "dump.heapsnapshot",
            "dump.heapsnapshot",
            "w1",
            "w1",
            "w2",
            "w99999999999999999999999",
            "cut.heapsnapshot",
            "broken.heapsnapshot",
            "names.heapsnapshot",
            "weighing.json",
            "other.json",
            "deadweight.toml",
            "outside.toml",
            "capture.deadweight",
            "capture.deadweight/capture.json",
            "link",
            "link/dump.heapsnapshot",
            "link.heapsnapshot",
            "sub/linked.heapsnapshot",
            "sub",
            "top/etc/passwd",
            "self",
            "pipe",
            ".",
            "..",
            "-",
            "",
            "../outside/dump.heapsnapshot",
            "sub/../../outside/secret.js",
            "/etc/passwd",
            "/proc/self/environ",
            "/proc/self/fd/0",
            "/dev/stdin",
            "/dev/zero",
            "file:///etc/passwd",
            "%2e%2e/outside/secret.js",
            "..\\outside\\secret.js",
            "~/.ssh/id_rsa",
            "dump.heapsnapshot\0",
            "\u{202e}tohspans",
        ]);
        match dice.below(8) {
            0 => format!("{}/{name}", self.folder.path().display()),
            1 => format!("{}/outside/{name}", self.folder.path().display()),
            2 => format!("./{name}"),
            3 => format!("sub/../{name}"),
            _ => name.to_owned(),
        }
    }
}

/// Any JSON, some of it deep.
fn value(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth > 3 { 8 } else { 11 }) {
        0 => Value::Null,
        1 => json!(dice.roll()),
        2 => json!(-i64::try_from(dice.below(1 << 30)).unwrap()),
        3 => json!(1e308),
        4 => json!(dice.below(2) == 0),
        5 => json!("x".repeat(dice.below(3_000))),
        6 => json!(dice.of(&[
            "D01",
            "\u{0}",
            "\u{1b}[2J",
            "\u{202e}",
            "🦀",
            "%s%n",
            "' OR 1=1",
            "${x}"
        ])),
        7 => json!(format!("{}-{:016x}", dice.below(100), dice.roll())),
        8 => Value::Array((0..dice.below(6)).map(|_| value(dice, depth + 1)).collect()),
        9 => {
            let names = ["path", "weighing", "program", "__proto__", "budget", ""];
            let fields = (0..dice.below(5)).map(|_| (dice.of(&names).to_owned(), value(dice, depth + 1)));
            Value::Object(fields.collect::<Vec<_>>().into_iter().collect())
        }
        _ => (0..dice.below(90)).fold(json!(1), |inner, _| json!([inner])),
    }
}

/// Arguments as a tool takes them, with one of them or more as nobody should give it.
fn arguments(dice: &mut Dice, place: &Place, tool: &str, fingerprints: &[String]) -> Value {
    let mut given = Map::new();
    let mut put = |name: &str, value: Value| drop(given.insert(name.to_owned(), value));
    let finding = || match fingerprints.len() {
        0 => json!("0123456789abcdef"),
        many => json!(fingerprints[(dice.0 % many as u64) as usize]),
    };
    let finding = finding();
    match tool {
        "weigh" => put("path", json!(place.path(dice))),
        "findings" => {
            put("weighing", json!(place.path(dice)));
            let cursor = match dice.below(4) {
                0 => Value::Null,
                1 => json!(format!("{}-{:016x}", dice.roll(), dice.roll())),
                2 => json!("18446744073709551616-0000000000000000"),
                _ => value(dice, 2),
            };
            put("cursor", cursor);
            put("limit", json!(dice.below(70_000)));
        }
        "finding" | "path" | "source" => {
            put("weighing", json!(place.path(dice)));
            put("finding", finding);
        }
        "explain" => {
            put("rule", json!(dice.of(&["D01", "d01", "", "../D01", "\u{202e}"])));
            put("from", json!(dice.roll()));
        }
        "prove" => {
            put("before", json!(place.path(dice)));
            put("after", json!(place.path(dice)));
            put("records", json!([dice.below(3), dice.roll()]));
            put("mended", json!([dice.of(&["D01", "", ":", "D01:\u{1b}"])]));
        }
        "check" => {
            put("weighings", json!([place.path(dice)]));
            put("config", json!(place.path(dice)));
            if dice.below(2) == 0 {
                put("since", json!(place.path(dice)));
            }
        }
        "diff" => put("moments", json!([place.path(dice), place.path(dice)])),
        "run" => put(
            "program",
            json!(["touch", place.folder.path().join("outside/started")]),
        ),
        "attach" => put("pid", json!(std::process::id())),
        _ => {}
    }
    if dice.below(3) == 0 {
        put("budget", json!(dice.roll() as u32));
    }
    if dice.below(4) == 0 {
        let names: Vec<String> = given.keys().cloned().collect();
        if let Some(name) = names.get(dice.below(names.len().max(1))) {
            given.insert(name.clone(), value(dice, 0));
        }
    }
    Value::Object(given)
}

const TOOLS: [&str; 13] = [
    "weigh",
    "findings",
    "finding",
    "path",
    "source",
    "explain",
    "prove",
    "check",
    "diff",
    "run",
    "attach",
    "no_such_tool",
    "",
];

/// A request with an id that must be answered; nothing where the line is no request.
fn request(dice: &mut Dice, place: &Place, id: u64, fingerprints: &[String]) -> (Vec<u8>, bool) {
    let line = match dice.below(20) {
        0 => {
            // No text at all.
            let bytes = (0..dice.below(200))
                .map(|_| dice.roll() as u8)
                .filter(|byte| *byte != b'\n');
            return (bytes.collect(), false);
        }
        1 => return (value(dice, 0).to_string().into_bytes(), false),
        2 => {
            let deep = 1 << (8 + dice.below(8));
            return (
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"params\":{}",
                    "[".repeat(deep)
                )
                .into_bytes(),
                false,
            );
        }
        3 => {
            // Cut, or with one byte that is no text.
            let mut line = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})
                .to_string()
                .into_bytes();
            let at = dice.below(line.len());
            if dice.below(2) == 0 {
                line.truncate(at);
            } else {
                line[at] = 0xFF;
            }
            return (line, false);
        }
        4 => {
            let method = dice.of(&[
                "tools/list",
                "resources/list",
                "prompts/list",
                "resources/templates/list",
                "ping",
            ]);
            let params = if dice.below(2) == 0 {
                json!({})
            } else {
                json!({"cursor": "CURSOR"})
            };
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        }
        5 => {
            let uri = dice.of(&[
                "deadweight://weighing/w1",
                "deadweight://weighing/../../etc/passwd",
                "deadweight://rule/D01",
                "deadweight://rule/",
                "deadweight://schema/weighing",
                "deadweight://",
                "file:///etc/passwd",
                "\u{0}",
            ]);
            json!({"jsonrpc": "2.0", "id": id, "method": "resources/read", "params": {"uri": uri}})
        }
        6 => {
            let arguments = json!({"target": dice.of(&["\u{1b}[2J", "w1", "../.."])});
            let params = json!({"name": dice.of(&["fix_largest", "find_leak", "x"]), "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": params})
        }
        7 => {
            let method = dice.of(&[
                "initialize",
                "no/such",
                "",
                "tasks/get",
                "subscriptions/listen",
                "logging/setLevel",
            ]);
            let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": value(dice, 1)});
            return (line.to_string().into_bytes(), false);
        }
        8 => {
            let params = json!({"requestId": dice.below(900), "progressToken": 1, "progress": 1e300});
            let method = dice.of(&[
                "notifications/cancelled",
                "notifications/progress",
                "notifications/x",
            ]);
            let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
            return (line.to_string().into_bytes(), false);
        }
        _ => {
            let tool = dice.of(&TOOLS);
            let arguments = arguments(dice, place, tool, fingerprints);
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        }
    };
    (line.to_string().into_bytes(), true)
}

/// No answer of a server may quote a dump, or a file outside its roots.
fn is_clean(said: &[u8]) {
    let text = String::from_utf8_lossy(said);
    for secret in TEXTS {
        assert!(
            !text.contains(secret),
            "{}",
            text.chars().take(2_000).collect::<String>()
        );
    }
    // Of the system's own files one begins so.
    assert!(!text.contains("root:x:0:0"), "{text}");
}

/// The fingerprints of a dump's findings, and all that a server says of them.
fn all_of(server: &mut Server, path: &str) -> (Vec<String>, String) {
    let arguments = json!({"weighing": path, "limit": 1000, "budget": 50_000});
    let listed = server.call("findings", arguments);
    let rows = listed["findings"].as_array().unwrap();
    let fingerprints: Vec<String> = rows
        .iter()
        .map(|row| row["finding"].as_str().unwrap().to_owned())
        .collect();
    let mut said = listed.to_string();
    for finding in &fingerprints {
        let arguments = json!({"weighing": path, "finding": finding, "budget": 50_000});
        said += &server.call("finding", arguments).to_string();
    }
    (fingerprints, said)
}

#[test]
fn what_must_not_be_seen_is_there_to_be_seen() {
    let place = Place::new();
    let shown = |root: &Path, path: &str| {
        let mut server = Server::start(root, &["--show-texts"]);
        all_of(&mut server, path).1
    };
    assert!(shown(&place.root(), "dump.heapsnapshot").contains(TEXTS[0]));
    for path in ["outside/dump.heapsnapshot", "root/link.heapsnapshot"] {
        assert!(shown(place.folder.path(), path).contains(TEXTS[1]), "{path}");
    }
}

#[test]
fn hostile_requests_over_standard_input_end_nothing_and_see_nothing() {
    let place = Place::new();
    let mut server = Server::start(&place.root(), &[]);
    let (fingerprints, said) = all_of(&mut server, "dump.heapsnapshot");
    is_clean(said.as_bytes());
    assert!(!fingerprints.is_empty());
    let mut dice = Dice(0x5EED_DEAD_BEEF_0001);
    let (mut open, mut answered, mut errors) = (HashSet::new(), 0_u64, 0_u64);
    let mut take = |line: Vec<u8>, open: &mut HashSet<u64>| {
        is_clean(&line);
        let message: Value = serde_json::from_slice(&line).expect("each line is JSON");
        let Some(id) = message["id"].as_u64() else { return };
        if open.remove(&id) {
            answered += 1;
            let is_error = message.get("error").is_some() || message["result"]["isError"] == true;
            errors += u64::from(is_error);
        }
    };
    for id in 1_000..1_000 + REQUESTS {
        let (line, is_request) = request(&mut dice, &place, id, &fingerprints);
        server.send(&line);
        if is_request {
            open.insert(id);
        }
        for line in server.ready() {
            take(line, &mut open);
        }
        while open.len() > AHEAD {
            take(server.line(), &mut open);
        }
    }
    while !open.is_empty() {
        take(server.line(), &mut open);
    }
    assert!(answered > REQUESTS / 2, "{answered} of {REQUESTS}");
    assert!(
        errors > answered / 4 && errors < answered,
        "{errors} of {answered}"
    );
    // A line that is longer than any message is passed over.
    server.send(&vec![b'x'; 3 << 20]);
    let summary = server.call("weigh", json!({"path": "dump.heapsnapshot"}));
    assert!(summary["held"]["bytes"].as_u64().unwrap() > 1_000_000);
    assert!(!place.folder.path().join("outside/started").exists());
    let (lines, said) = server.close();
    for line in &lines {
        is_clean(line);
    }
    is_clean(said.as_bytes());
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn what_comes_before_a_greeting_is_answered_or_ends_the_server_well() {
    let folder = tempfile::tempdir().unwrap();
    for first in [
        &b""[..],
        b"\n\n",
        b"\xFF\xFE\n",
        b"{}\n",
        b"[]\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"weigh\"}}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
    ] {
        let mut child = Command::new(cargo_bin("deadweight"))
            .arg("mcp")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended before all is written.
        let _ = child.stdin.take().unwrap().write_all(first);
        let ended = child.wait_with_output().unwrap();
        assert!(matches!(ended.status.code(), Some(0 | 2)), "{first:?}: {ended:?}");
        assert!(
            !String::from_utf8_lossy(&ended.stderr).contains("panicked"),
            "{ended:?}"
        );
    }
}

/// A server that listens, and its address.
struct Listening {
    child: Child,
    port: u16,
    path: String,
}

impl Listening {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(cargo_bin("deadweight"))
            .args(["mcp", "--http", "127.0.0.1:0"])
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let errors = child.stderr.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(errors), &mut line).unwrap();
        let address = line
            .trim()
            .rsplit_once("http://127.0.0.1:")
            .expect("an address")
            .1;
        let (port, path) = address.split_once('/').unwrap();
        Self {
            child,
            port: port.parse().unwrap(),
            path: format!("/{path}"),
        }
    }

    /// Sends bytes and no more, and returns the status and all that comes back.
    fn send(&self, bytes: &[u8]) -> (Option<u16>, String) {
        self.exchange(bytes, true)
    }

    /// The same; `ends` closes the way there, which the server may take for the end of both.
    fn exchange(&self, bytes: &[u8], ends: bool) -> (Option<u16>, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        // It may answer before it has read all.
        let _ = stream.write_all(bytes);
        if ends {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status, text)
    }

    fn post(&self, path: &str, headers: &str, body: &str) -> (Option<u16>, String) {
        let bytes = format!(
            "POST {path} HTTP/1.1\r\n{headers}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.exchange(bytes.as_bytes(), false)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn hostile_requests_by_http_are_turned_away() {
    let place = Place::new();
    let mut server = Listening::start(&place.root());
    let (port, path) = (server.port, server.path.clone());
    let greeting = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    })
    .to_string();
    let host = format!("Host: 127.0.0.1:{port}");
    let (status, text) = server.post(&path, &host, &greeting);
    assert_eq!(status, Some(200), "{text}");
    assert!(text.contains("\"deadweight\""), "{text}");
    // Whoever does not know the address, comes by another name, or from a page, is turned away.
    for (path, headers, expected) in [
        ("/", host.clone(), 404),
        ("/mcp", host.clone(), 404),
        ("/mcp/", host.clone(), 404),
        (&*format!("{path}/"), host.clone(), 404),
        (&*format!("{path}0"), host.clone(), 404),
        (&*path, "Host: evil.example".to_owned(), 403),
        (&*path, format!("Host: evil.example:{port}"), 403),
        (&*path, format!("Host: 127.0.0.1.evil.example:{port}"), 403),
        (&*path, format!("Host: 127.0.0.1:{}", port ^ 1), 403),
        (&*path, format!("{host}\r\nOrigin: http://evil.example"), 403),
        (
            &*path,
            format!("{host}\r\nOrigin: http://127.0.0.1:{}", port ^ 1),
            403,
        ),
        (&*path, format!("{host}\r\nOrigin: https://127.0.0.1:{port}"), 403),
        (&*path, format!("{host}\r\nOrigin: http://127.0.0.1:{port}"), 200),
        (&*path, format!("{host}\r\nOrigin: null"), 403),
    ] {
        let (status, text) = server.post(path, &headers, &greeting);
        assert_eq!(status, Some(expected), "{path} {headers}: {text}");
    }
    let large = format!("{{\"x\":\"{}\"}}", "x".repeat(2 << 20));
    let (status, _) = server.post(&path, &host, &large);
    assert_eq!(status, Some(413));
    let mut dice = Dice(0x5EED_DEAD_BEEF_0002);
    let mut answers = 0;
    for id in 0..BY_HTTP {
        let (line, _) = request(&mut dice, &place, id, &[]);
        let (status, text) = match dice.below(4) {
            0 => {
                let junk: Vec<u8> = (0..dice.below(400)).map(|_| dice.roll() as u8).collect();
                server.send(&junk)
            }
            1 => server.send(format!("POST {path} HTTP/1.1\r\n{host}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n").as_bytes()),
            _ => server.post(&path, &format!("{host}\r\nMCP-Protocol-Version: 2025-06-18"), &String::from_utf8_lossy(&line)),
        };
        is_clean(text.as_bytes());
        answers += u64::from(status.is_some());
        assert!(server.child.try_wait().unwrap().is_none(), "it ended");
    }
    assert!(answers > BY_HTTP / 2);
    let (status, _) = server.post(&path, &host, &greeting);
    assert_eq!(status, Some(200));
}
