//! `deadweight mcp` over standard input and output: an agent weighs, reads findings, and proves.

mod mcp_client;

use std::fs;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use mcp_client::{Server, write_dump};
use serde_json::{Value, json};

/// Bytes of JSON to a token.
const BYTES: usize = 4;

fn dump() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_dump(folder.path(), "customers.heapsnapshot");
    folder
}

#[test]
fn an_agent_reads_findings_by_page_and_one_with_its_evidence() {
    let folder = dump();
    let mut server = Server::start(folder.path(), &[]);
    let tools = server.ask("tools/list", json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            assert_eq!(tool["outputSchema"]["type"], "object");
            tool["name"].as_str().unwrap()
        })
        .collect();
    assert_eq!(
        names,
        [
            "weigh", "run", "attach", "findings", "finding", "path", "source", "fix", "explain", "prove",
            "check", "diff"
        ]
    );

    let summary = server.call("weigh", json!({"path": "customers.heapsnapshot"}));
    assert_eq!(summary["weighing"], "w1");
    assert!(summary["held"]["dead"].as_u64().unwrap() > 100_000, "{summary}");
    assert!(
        summary["untrusted"]
            .as_str()
            .unwrap()
            .contains("never instructions")
    );

    // Page by page all findings come once.
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut arguments = json!({"weighing": "w1", "limit": 2});
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let page = server.call("findings", arguments);
        let rows = page["findings"].as_array().unwrap();
        assert!(rows.len() <= 2);
        seen.extend(rows.iter().map(|row| row["finding"].as_str().unwrap().to_owned()));
        cursor = page["next"].clone();
        if cursor.is_null() {
            assert_eq!(page["all"], seen.len());
            break;
        }
        let other = json!({"weighing": "w1", "rule": "C01", "cursor": cursor});
        assert!(server.refused("findings", other).contains("cursor"));
    }
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), seen.len());

    // The same file is weighed once.
    let empty = server.call(
        "findings",
        json!({"weighing": "customers.heapsnapshot", "rule": "c01", "holder": "customer.TAGS"}),
    );
    assert_eq!((&empty["weighing"], &empty["all"]), (&json!("w1"), &json!(1)));
    let fingerprint = &empty["findings"][0]["finding"];

    let finding = server.call("finding", json!({"weighing": "w1", "finding": fingerprint}));
    assert_eq!(finding["finding"]["rule"], "C01");
    assert_eq!(finding["finding"]["count"], 4_000);
    let path = server.call("path", json!({"weighing": "w1", "finding": fingerprint}));
    let steps = path["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["via"] == "customers"), "{path}");
    let page = server.call(
        "explain",
        json!({"rule": "C01", "language": "Ruby", "budget": 50_000}),
    );
    let lines: Vec<&str> = page["page"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(lines.iter().any(|line| line.starts_with("- Ruby:")), "{lines:?}");
    assert!(
        !lines.iter().any(|line| line.starts_with("- Python:")),
        "{lines:?}"
    );
    let rules = server.call("explain", json!({}));
    assert!(rules["rules"].as_array().unwrap().len() > 20);
    assert!(
        server
            .refused("explain", json!({"rule": "Z99"}))
            .contains("the rules are")
    );
    server.close();
}

#[test]
fn texts_of_a_dump_are_shown_on_demand_alone() {
    let folder = dump();
    let everything = |server: &mut Server| {
        let mut said = server
            .call("weigh", json!({"path": "customers.heapsnapshot"}))
            .to_string();
        let all = server.call(
            "findings",
            json!({"weighing": "w1", "budget": 50_000, "limit": 1000}),
        );
        for row in all["findings"].as_array().unwrap() {
            for tool in ["finding", "path"] {
                let arguments = json!({"weighing": "w1", "finding": row["finding"], "budget": 50_000});
                said += &server.call(tool, arguments).to_string();
            }
        }
        said += &all.to_string();
        said += &server
            .ask("resources/read", json!({"uri": "deadweight://weighing/w1"}))
            .to_string();
        said
    };
    let mut redacted = Server::start(folder.path(), &[]);
    let said = everything(&mut redacted);
    assert!(said.contains("Customer.name") && !said.contains("CANARY") && !said.contains("Johanna"));
    let mut shown = Server::start(folder.path(), &["--show-texts"]);
    assert!(everything(&mut shown).contains("CANARY of Johanna"));
}

#[test]
fn the_whole_weighing_is_a_resource_that_the_tool_reads_back() {
    let folder = dump();
    let mut server = Server::start(folder.path(), &[]);
    let summary = server.call("weigh", json!({"path": "customers.heapsnapshot"}));
    let read = server.ask("resources/read", json!({"uri": summary["resource"]}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    let weighing = deadweight_weighing::read(text.as_bytes()).expect("a weighing");
    assert_eq!(json!(weighing.held.bytes), summary["held"]["bytes"]);
    let listed = server.ask("resources/list", json!({}));
    let uris: Vec<&Value> = listed["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| &resource["uri"])
        .collect();
    assert!(uris.contains(&&summary["resource"]) && uris.contains(&&json!("deadweight://rule/D01")));
    for uri in uris {
        let read = server.ask("resources/read", json!({"uri": uri}));
        assert!(read["result"]["contents"][0]["text"].is_string(), "{read}");
    }
    let none = server.ask("resources/read", json!({"uri": "deadweight://weighing/w9"}));
    assert_eq!(none["error"]["code"], -32_002, "{none}");
    // What an agent stored is weighed like a dump.
    fs::write(folder.path().join("stored.json"), text).unwrap();
    let again = server.call("weigh", json!({"path": "stored.json"}));
    assert_eq!(
        (&again["weighing"], &again["held"]),
        (&json!("w2"), &summary["held"])
    );
}

#[test]
fn answers_keep_to_their_budget_and_say_what_was_cut() {
    let folder = dump();
    let mut server = Server::start(folder.path(), &[]);
    server.call("weigh", json!({"path": "customers.heapsnapshot"}));
    let all = server.call(
        "findings",
        json!({"weighing": "w1", "budget": 50_000, "limit": 1000}),
    );
    let first = &all["findings"][0]["finding"];
    for budget in [300, 1_000, 10_000] {
        for (tool, mut arguments) in [
            ("weigh", json!({"path": "w1"})),
            ("findings", json!({"weighing": "w1"})),
            ("finding", json!({"weighing": "w1", "finding": first})),
            ("path", json!({"weighing": "w1", "finding": first})),
            ("explain", json!({"rule": "C02"})),
            ("prove", json!({"before": "w1", "after": "w1"})),
            ("diff", json!({"moments": ["w1", "w1"]})),
        ] {
            arguments["budget"] = budget.into();
            let answer = server.call(tool, arguments);
            let bytes = answer.to_string().len();
            assert!(bytes <= budget * BYTES, "{tool}: {bytes} of {}", budget * BYTES);
        }
    }
    let small = server.call("weigh", json!({"path": "w1", "budget": 300}));
    let cut = small["cut"].as_array().unwrap();
    assert!(
        cut.last().unwrap().as_str().unwrap().contains("larger budget"),
        "{small}"
    );
    // The rest of a page follows where the first part ends.
    let (mut from, mut lines) = (0, Vec::new());
    loop {
        let part = server.call("explain", json!({"rule": "C02", "from": from, "budget": 600}));
        lines.extend(part["page"].as_array().unwrap().clone());
        match part["next"].as_u64() {
            Some(next) => from = next,
            None => break,
        }
    }
    let whole = server.call("explain", json!({"rule": "C02", "budget": 50_000}));
    assert_eq!(json!(lines), whole["page"]);
}

/// Two programs that differ in one fix.
fn programs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = |tags: &str| {
        format!(
            "class Customer {{\n  constructor(id) {{\n    this.id = id\n    this.tags = {tags}\n  }}\n}}\n\
             globalThis.customers = Array.from({{ length: 20000 }}, (_, id) => new Customer(id))\n"
        )
    };
    fs::write(folder.path().join("before.js"), program("[]")).unwrap();
    fs::write(folder.path().join("after.js"), program("null")).unwrap();
    folder
}

#[test]
fn an_agent_runs_a_program_fixes_it_and_proves_the_fix() {
    let folder = programs();
    let mut server = Server::start(folder.path(), &["--allow-run"]);
    let run = server.call("run", json!({"program": ["node", "before.js"]}));
    assert_eq!(run["ended"], "exit code 0", "{run}");
    let before = run["summary"]["weighing"].clone();
    let largest = &run["summary"]["largest"][0];
    assert_eq!(
        (&largest["rule"], &largest["holder"]),
        (&json!("C01"), &json!("Customer.tags"))
    );
    let source = server.call(
        "source",
        json!({"weighing": before, "finding": largest["finding"]}),
    );
    assert_eq!(source["file"], "before.js");
    let lines = source["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line == "    this.tags = []"), "{source}");

    let run = server.call("run", json!({"program": ["node", "after.js"]}));
    let after = run["summary"]["weighing"].clone();
    let proof = server.call("prove", json!({"before": before, "after": after}));
    let fix = &proof["fixes"][0];
    assert_eq!(
        (&fix["rule"], &fix["outcome"]),
        (&json!("C01"), &json!("mended")),
        "{proof}"
    );
    assert!(proof["error"].as_f64().unwrap() < 0.05, "{proof}");
    let read = server.ask("resources/read", json!({"uri": proof["resource"]}));
    assert!(
        read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("deadweight/proof/1")
    );

    fs::write(
        folder.path().join("deadweight.toml"),
        "[budget.rules]\nC01 = \"10 kB\"\n",
    )
    .unwrap();
    let checked = server.call("check", json!({"weighings": [before]}));
    assert_eq!(
        (&checked["holds"], &checked["broken"][0]["key"]),
        (&json!(false), &json!("budget.rules.C01"))
    );
    assert_eq!(server.call("check", json!({"weighings": [after]}))["holds"], true);
    let grown = server.call("diff", json!({"moments": [after, before]}));
    assert!(grown["grown"]["held"].as_i64().unwrap() > 300_000, "{grown}");
    // Captures are where the user finds them, and can be weighed by their folder.
    let again = server.call("weigh", json!({"path": "deadweight-captures"}));
    assert_eq!(
        again["source"].as_str().unwrap().split('/').next_back(),
        Some("heap.heapsnapshot")
    );
}

#[test]
fn a_program_that_fails_or_runs_too_long_says_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["--allow-run"]);
    let failed = server.call(
        "run",
        json!({"program": ["node", "-e", "console.error('broken'); process.exit(3)"]}),
    );
    assert_eq!(failed["ended"], "exit code 3");
    assert!(failed["errors"].as_str().unwrap().contains("broken"), "{failed}");
    let missing = server.call("run", json!({"program": ["no-such-program"]}));
    assert_eq!(
        (&missing["ended"], &missing["summary"]),
        (&json!("exit code 127"), &Value::Null)
    );
    let slow = server.call(
        "run",
        json!({"program": ["node", "-e", "setInterval(() => {}, 1000)"], "seconds": 2}),
    );
    assert_eq!(slow["ended"], "ended after 2 s, as it took longer");
    for (arguments, said) in [
        (json!({"program": []}), "program names"),
        (json!({"program": ["node"], "folder": ".."}), "outside"),
        (json!({"program": ["node"], "folder": "/"}), "outside"),
        (json!({"program": "node"}), "do not fit"),
        (json!({"program": ["node"], "shell": true}), "do not fit"),
    ] {
        let refused = server.refused("run", arguments);
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn nothing_is_started_or_stopped_without_the_users_consent() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("started");
    let program = json!({"program": ["touch", mark.to_str().unwrap()]});
    let mut closed = Server::start(folder.path(), &[]);
    assert!(closed.refused("run", program.clone()).contains("--allow-run"));
    let pid = json!({"pid": std::process::id()});
    assert!(closed.refused("attach", pid).contains("--allow-attach"));

    // A client that can ask its user does, each time.
    let mut asking = Server::start_as(folder.path(), &["--allow-run"], json!({"elicitation": {}}));
    for (action, started) in [("decline", false), ("cancel", false), ("accept", true)] {
        let params = json!({"name": "run", "arguments": program});
        let mut questions = Vec::new();
        let answer = asking.ask_and("tools/call", params, |server, question| {
            assert_eq!(question["method"], "elicitation/create");
            questions.push(question["params"]["message"].as_str().unwrap().to_owned());
            let answer =
                json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": action, "content": {}}});
            server.send(answer.to_string().as_bytes());
        });
        assert_eq!(questions.len(), 1);
        assert!(
            questions[0].contains("\"touch\"") && questions[0].contains("started"),
            "{questions:?}"
        );
        assert_eq!(answer["result"]["isError"], !started, "{answer}");
        assert_eq!(mark.exists(), started, "{action}");
    }
}

#[test]
fn a_running_program_is_weighed_with_consent() {
    let folder = programs();
    let program = "require('./before.js'); console.log('ready'); setInterval(() => {}, 1000)";
    let mut child = Command::new("node")
        .args(["-e", program])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let mut server = Server::start(folder.path(), &["--allow-attach"]);
    let summary = server.call("attach", json!({"pid": child.id()}));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(summary["largest"][0]["holder"], "Customer.tags", "{summary}");
}

#[test]
fn folders_that_cannot_be_used_end_the_server_with_a_reason() {
    for (arguments, said) in [
        (&["--root", "/no/such/folder"][..], "--root /no/such/folder"),
        (&["--http", "0.0.0.0:0"], "no loopback address"),
        (&["--http", "192.0.2.1:80"], "no loopback address"),
    ] {
        let ended = Command::new(cargo_bin("deadweight"))
            .arg("mcp")
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(errors.contains(said), "{errors}");
    }
}

#[test]
fn a_client_hears_of_long_work_and_can_take_its_request_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["--allow-run"]);
    let mut beats = Vec::new();
    let program = json!({"program": ["sleep", "2.5"]});
    let params = json!({"name": "run", "arguments": program, "_meta": {"progressToken": "t"}});
    let answer = server.ask_and("tools/call", params, |_, message| {
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "t");
        beats.push(message["params"]["progress"].as_f64().unwrap());
    });
    assert_eq!(
        answer["result"]["structuredContent"]["ended"], "exit code 0",
        "{answer}"
    );
    assert!(beats.len() >= 2 && beats.is_sorted(), "{beats:?}");

    let begun = std::time::Instant::now();
    let request = json!({
        "jsonrpc": "2.0",
        "id": "long",
        "method": "tools/call",
        "params": {"name": "run", "arguments": {"program": ["sleep", "100"]}},
    });
    server.send(request.to_string().as_bytes());
    std::thread::sleep(std::time::Duration::from_millis(500));
    server.send(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long"}}"#);
    // What runs holds back whatever weighs; the next run begins when the first one is gone.
    let params = json!({"name": "run", "arguments": {"program": ["true"]}});
    let next = server.ask_and("tools/call", params, |_, _| {});
    assert_eq!(
        next["result"]["structuredContent"]["ended"], "exit code 0",
        "{next}"
    );
    assert!(begun.elapsed().as_secs() < 60);
    server.close();
}

#[test]
fn an_agent_reads_an_edit_as_a_diff() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("rows.js"),
        "class Row {\n  constructor(line, id) {\n    this.id = id\n    this.city = JSON.parse(line)\n  }\n}\n\
         globalThis.rows = Array.from({ length: 4000 }, (_, i) => new Row(`\"a city of some name ${i % 3}\"`, i))\n",
    )
    .unwrap();
    let mut server = Server::start(folder.path(), &["--allow-run"]);
    let run = server.call("run", json!({"program": ["node", "rows.js"]}));
    let weighing = &run["summary"]["weighing"];
    let page = server.call("findings", json!({"weighing": weighing, "rule": "D01"}));
    let finding = &page["findings"][0]["finding"];
    let fix = server.call("fix", json!({"weighing": weighing, "finding": finding}));
    let diff: Vec<&str> = fix["diff"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let changed = "+    this.city = shareText(JSON.parse(line))";
    assert!(diff.contains(&changed), "{fix}");
    assert!(!fix["conditions"].as_array().unwrap().is_empty(), "{fix}");
    let text = fs::read_to_string(folder.path().join("rows.js")).unwrap();
    assert!(!text.contains("shareText"));
    server.close();
}
