//! A dataset in an object store that speaks S3.

mod support;

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{Fleet, counts, fed, lines};

/// A store within a process of Python; it goes with the test.
struct Store {
    process: Child,
    port: u16,
}

impl Store {
    /// Needs a Python with `moto[server]`, which `DEADWEIGHT_FLEET_PYTHON` names.
    fn start() -> Self {
        let python =
            std::env::var("DEADWEIGHT_FLEET_PYTHON").expect("DEADWEIGHT_FLEET_PYTHON names a Python");
        let port = TcpListener::bind("127.0.0.1:0")
            .expect("a port")
            .local_addr()
            .expect("its number")
            .port();
        let process = Command::new(python)
            .args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let store = Self { process, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                start.elapsed() < Duration::from_mins(1),
                "the store does not come up"
            );
            thread::sleep(Duration::from_millis(100));
        }
        let made = ureq::put(format!("http://127.0.0.1:{port}/fleets")).send_empty();
        assert!(made.is_ok(), "{made:?}");
        store
    }

    fn command(&self, fleet: &Fleet, arguments: &[&str]) -> Command {
        let mut command = fleet.command(arguments);
        command
            .env("DEADWEIGHT_FLEET", "s3://fleets/some folder")
            .env("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1");
        command
    }

    fn ingest(&self, fleet: &Fleet, lines: &str) -> Child {
        fed(
            &mut self.command(fleet, &["ingest", "-", "--batch", "20", "--format", "json"]),
            lines,
        )
    }

    fn says(&self, fleet: &Fleet, arguments: &[&str]) -> String {
        let output = self.command(fleet, arguments).output().expect("it starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "needs an object store: `cargo xtask test --full` runs it"]
fn two_writers_to_one_store_lose_and_double_nothing() {
    let store = Store::start();
    let fleet = Fleet::new();
    let all = lines(300);
    let at = |nth: usize| all.match_indices('\n').nth(nth).expect("so many lines").0 + 1;
    // The middle third is sent by both.
    let writers = [
        store.ingest(&fleet, &all[..at(199)]),
        store.ingest(&fleet, &all[at(99)..]),
    ];
    let reports = writers.map(|writer| {
        let output = writer.wait_with_output().expect("it ends");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        counts(&output)
    });
    assert_eq!(reports[0].0 + reports[1].0, 300, "{reports:?}");
    assert_eq!(reports[0].1 + reports[1].1, 100, "{reports:?}");
    let count = "SELECT count(*) AS rows, count(DISTINCT id) AS ids, (SELECT count(*) FROM findings) AS findings FROM weighings";
    let before = store.says(&fleet, &["sql", count, "--format", "json"]);
    assert!(
        before.contains("\"rows\": 300") && before.contains("\"ids\": 300"),
        "{before}"
    );
    store.says(&fleet, &["compact"]);
    assert_eq!(store.says(&fleet, &["sql", count, "--format", "json"]), before);
    assert!(
        store
            .says(&fleet, &["top", "--days", "90"])
            .contains("50 services")
    );
}
