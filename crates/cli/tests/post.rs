//! `--post`: what a server gets, and that the program does not notice one that is not there.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use assert_cmd::Command;
use serde_json::Value;

mod ran;

use ran::Ran;

const PROGRAM: &str = "\
class Row:
    def __init__(self, i):
        self.number = i
        self.name = 'a secret of row %d' % (i % 3)

rows = [Row(i) for i in range(1000)]
print('done')
raise SystemExit(3)
";

/// What each request asks for, and the body of the last.
type Asked = (Vec<String>, Vec<u8>);

/// Takes requests until one is answered with 201, and gives the lines with what was asked for and the last body.
fn server(answers: Vec<&'static str>) -> (String, thread::JoinHandle<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let taking = thread::spawn(move || {
        let (mut asked, mut body) = (Vec::new(), Vec::new());
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let line = line.trim_end().to_owned();
                if let Some(number) = line.to_lowercase().strip_prefix("content-length: ") {
                    length = number.parse().unwrap();
                }
                if line.is_empty() {
                    break;
                }
                lines.push(line);
            }
            body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            asked.push(lines.swap_remove(0));
            let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
        }
        (asked, body)
    });
    (address, taking)
}

fn run(url: &str) -> Ran {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("rows.py"), PROGRAM).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(["run", "--post", url, "--", "python3", "rows.py"]);
    Ran::of(home, &mut command)
}

#[test]
fn a_weighing_is_sent_without_texts_until_it_is_taken() {
    let (address, server) = server(vec!["503 Busy", "201 Created"]);
    let ran = run(&format!("http://{address}/weighings?service=shop&version=1.4.0"));
    assert_eq!(ran.output.status.code(), Some(3), "{}", ran.said());
    let (asked, body) = server.join().unwrap();
    assert_eq!(asked.len(), 2);
    for line in &asked {
        assert!(
            line.starts_with("POST /weighings?service=shop&version=1.4.0&host="),
            "{line}"
        );
        assert!(line.contains("&captured_at="), "{line}");
    }
    assert_eq!(asked[0], asked[1]);
    let text = String::from_utf8(body).unwrap();
    assert!(!text.contains("a secret of row"), "{text}");
    let weighing: Value = serde_json::from_str(&text).unwrap();
    let found = weighing["findings"].as_array().unwrap();
    assert!(
        found.iter().any(|finding| finding["rule"] == "D01"),
        "{weighing:#}"
    );
    // What is shown here is whole.
    assert!(ran.said().contains("Row.name"), "{}", ran.said());
}

#[test]
fn what_was_captured_is_sent_later_too() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("rows.py"), PROGRAM).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    let ran = Ran::of(home, command.args(["run", "--", "python3", "rows.py"]));
    let weigh = |url: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
        command.args(["weigh", "deadweight-captures", "--post", url]);
        command.current_dir(ran.home.path()).output().unwrap()
    };
    let (address, taken) = server(vec!["201 Created"]);
    let output = weigh(&format!("http://{address}/weighings?service=shop"));
    assert_eq!(output.status.code(), Some(0));
    let (asked, body) = taken.join().unwrap();
    assert!(
        asked[0].starts_with("POST /weighings?service=shop&host="),
        "{asked:?}"
    );
    assert!(!String::from_utf8(body).unwrap().contains("a secret of row"));
    // Whoever sends it himself hears of a server that does not take it, after the report.
    let (address, refused) = server(vec!["413 Too Large"]);
    let output = weigh(&format!("http://{address}/weighings"));
    refused.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Row.name"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the weighing was not taken"), "{said}");
}

#[test]
fn the_program_does_not_notice_a_server_that_refuses() {
    let (address, server) = server(vec!["413 Too Large"]);
    let ran = run(&format!("http://{address}/weighings?service=shop"));
    assert_eq!(ran.output.status.code(), Some(3));
    assert_eq!(server.join().unwrap().0.len(), 1, "it is not asked again");
    assert!(
        ran.said().contains("the weighing was not taken"),
        "{}",
        ran.said()
    );
    assert!(ran.said().contains("Row.name"), "{}", ran.said());
}

#[test]
fn only_addresses_are_taken() {
    let ran = run("fleet:7878");
    assert_eq!(ran.output.status.code(), Some(2));
    assert!(ran.said().contains("begins with http://"), "{}", ran.said());
}
