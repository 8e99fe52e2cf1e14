//! The server: what it takes, what it refuses, and what it says.

mod support;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;
use support::{Fleet, Server, envelope, lines, weighing};

impl Server {
    /// Sends a request as it stands, and returns the status, the heads and the body.
    fn send(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status");
        let (heads, body) = answer.split_once("\r\n\r\n").expect("a body");
        (status, heads.to_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        ))
    }

    fn post(&self, query: &str, heads: &str, body: &str) -> (u16, Value) {
        let (status, _, body) = self.send(&format!(
            "POST /weighings{query} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{heads}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        ));
        (status, serde_json::from_str(&body).unwrap_or_default())
    }
}

const JSON: &str = "Content-Type: application/json\r\n";

const QUERY: &str = "?service=api&version=1&host=a&captured_at=1772366400";

#[test]
fn a_post_is_acknowledged_once_and_known_the_second_time() {
    let fleet = Fleet::new();
    let server = Server::start(&fleet, &[]);
    assert_eq!(server.get("/api/fleet").0, 404);
    assert!(server.get("/metrics").2.ends_with("# EOF\n"));
    let body = weighing(500, &[("00000000000000aa", 100)]).to_string();
    let (status, answer) = server.post(QUERY, JSON, &body);
    assert_eq!((status, &answer["new"]), (201, &Value::Bool(true)));
    let (status, again) = server.post(QUERY, JSON, &body);
    assert_eq!((status, &again["id"]), (200, &answer["id"]));
    // The same by heads, and in an envelope.
    let heads = "Deadweight-Service: api\r\nDeadweight-Version: 1\r\nDeadweight-Host: a\r\nDeadweight-Captured-At: 2026-03-01T12:00:00Z\r\n";
    assert_eq!(server.post("", &format!("{JSON}{heads}"), &body).0, 200);
    let line = envelope(
        "api",
        "1",
        "a",
        "2026-03-01T12:00:00Z",
        &serde_json::from_str(&body).unwrap(),
    );
    assert_eq!(server.post("", JSON, &line).0, 200);
    // It is there at once, for the server and for others.
    assert_eq!(
        fleet.sql("SELECT id FROM weighings"),
        serde_json::json!([{"id": answer["id"]}])
    );
    let metrics = server.get("/metrics").2;
    for line in [
        "deadweight_dead_bytes{service=\"api\"} 100",
        "deadweight_held_bytes{service=\"api\"} 600",
        "deadweight_posts_total{result=\"new\"} 1",
        "deadweight_posts_total{result=\"known\"} 3",
    ] {
        assert!(metrics.lines().any(|there| there == line), "{line}: {metrics}");
    }
    let one: Value = serde_json::from_str(
        &server
            .get(&format!("/api/weighing?id={}", answer["id"].as_str().unwrap()))
            .2,
    )
    .unwrap();
    assert_eq!(one["findings"][0]["saves"], 100);
}

#[test]
fn what_cannot_be_taken_is_refused_with_a_reason() {
    let fleet = Fleet::new();
    let server = Server::start(&fleet, &["--largest", "20000"]);
    let body = weighing(500, &[]).to_string();
    let large = format!("{{\"schema\": \"{}\"}}", "x".repeat(30_000));
    for (query, heads, body, status) in [
        ("?service=api&version=1&host=a", JSON, &body[..], 422),
        (
            "?service=api&version=1&host=a&captured_at=yesterday",
            JSON,
            &body,
            400,
        ),
        (QUERY, "", &body, 415),
        (QUERY, "Content-Type: text/plain\r\n", &body, 415),
        (QUERY, JSON, "{}", 422),
        (QUERY, JSON, &body[..100], 422),
        (QUERY, JSON, &large, 413),
    ] {
        let (found, answer) = server.post(query, heads, body);
        assert_eq!(found, status, "{query} {answer}");
        assert!(status == 413 || answer["error"].is_string(), "{answer}");
    }
    assert_eq!(server.get("/weighings").0, 405);
    assert_eq!(server.get("/../../etc/passwd").0, 404);
    assert_eq!(server.get("/api/fleet").0, 404);
}

#[test]
fn a_name_of_another_site_reads_nothing() {
    let fleet = Fleet::new();
    fleet.ingest(&lines(100), &[]);
    let server = Server::start(&fleet, &["--name", "fleet.example.org"]);
    for (host, status) in [
        ("evil.example.com", 421),
        ("fleet.example.org", 200),
        ("localhost:80", 200),
        ("[::1]:80", 200),
    ] {
        let answer = server.send(&format!(
            "GET /api/fleet HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ));
        assert_eq!(answer.0, status, "{host}");
        assert!(status == 200 || !answer.2.contains("services"), "{}", answer.2);
    }
    let (_, heads, _) = server.get("/");
    assert!(
        heads.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{heads}"
    );
}

#[test]
fn who_posts_knows_the_secret_where_there_is_one() {
    let fleet = Fleet::new();
    let file = fleet.folder.path().join("secret");
    std::fs::write(&file, "open sesame\n").unwrap();
    let server = Server::start(&fleet, &["--token-file", file.to_str().unwrap()]);
    let body = weighing(500, &[]).to_string();
    assert_eq!(server.post(QUERY, JSON, &body).0, 401);
    assert_eq!(
        server
            .post(QUERY, &format!("{JSON}Authorization: Bearer open\r\n"), &body)
            .0,
        401
    );
    assert_eq!(
        server
            .post(
                QUERY,
                &format!("{JSON}Authorization: Bearer open sesame\r\n"),
                &body
            )
            .0,
        201
    );
}
