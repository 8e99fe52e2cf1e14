//! Questions that a cluster of Ballista answers, and what is said where there is none.

mod support;

use support::{Fleet, envelope, weighing};

/// What a question that fails says, in one line.
fn complaint(fleet: &Fleet, arguments: &[&str]) -> String {
    let output = fleet.run(arguments);
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn small() -> Fleet {
    let fleet = Fleet::new();
    let line = envelope(
        "api",
        "1",
        "h",
        "2026-07-02T00:00:00Z",
        &weighing(9, &[("aa", 3)]),
    );
    fleet.ingest(&line, &[]);
    fleet
}

#[test]
fn an_address_that_is_none_is_refused() {
    let fleet = small();
    let output = fleet.run(&["--scheduler", "localhost:50050", "top"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("names no scheduler; use df://HOST:50050"), "{text}");
}

#[cfg(not(feature = "ballista"))]
#[test]
fn a_program_without_clusters_says_how_one_with_them_is_built() {
    let fleet = small();
    for arguments in [
        &["--scheduler", "df://127.0.0.1:1", "top"][..],
        &["--scheduler", "df://127.0.0.1:1", "sql", "SELECT 1"],
        &[
            "--scheduler",
            "df://127.0.0.1:1",
            "serve",
            "--listen",
            "127.0.0.1:0",
        ],
    ] {
        let text = complaint(&fleet, &[arguments].concat());
        assert!(
            text.contains("cargo build --release --features ballista"),
            "{text}"
        );
    }
    // What asks nothing needs none.
    fleet.says(&["--scheduler", "df://127.0.0.1:1", "parts"]);
}

#[cfg(feature = "ballista")]
mod with_ballista {
    use std::collections::HashSet;
    use std::net::{TcpListener, TcpStream};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use serde_json::Value;
    use tempfile::TempDir;

    use super::support::{Fleet, Server, is_equal, questions};
    use super::{complaint, small};

    const VERSION: &str = "55.0.0";

    #[test]
    fn where_nobody_listens_no_question_is_answered() {
        let fleet = small();
        let address = format!("df://127.0.0.1:{}", free_port());
        for question in [&["top"][..], &["trend"], &["who", "aa"], &["sql", "SELECT 1"]] {
            let text = complaint(&fleet, &[&["--scheduler", &address], question].concat());
            assert!(
                text.contains(&format!("no scheduler answers at {address}")),
                "{text}"
            );
        }
    }

    /// The first time it builds the scheduler and the executor, for some minutes, below the target directory:
    /// `cargo test --features ballista --test cluster -- --ignored`.
    #[test]
    #[ignore = "builds and starts a cluster: `cargo xtask test --full` runs it"]
    fn a_cluster_answers_as_the_process_does() {
        let fleet = Fleet::with_a_past();
        let cluster = Cluster::start();
        let mut asked: Vec<Vec<String>> = questions()
            .into_iter()
            .map(|question| vec!["sql".to_owned(), question])
            .collect();
        assert_eq!(asked.len(), 5);
        let fingerprint = fleet.sql("SELECT min(fingerprint) AS first FROM findings WHERE rule <> 'others'")
            [0]["first"]
            .as_str()
            .expect("a finding")
            .to_owned();
        let service = fleet.sql("SELECT max(service) AS last FROM weighings")[0]["last"]
            .as_str()
            .expect("a service")
            .to_owned();
        let rows = asked.len();
        for question in [
            &["top", "--price-gb-hour", "0.005"][..],
            &["top", "--days", "400", "--limit", "50"],
            &["top", "--days", "90", "--service", &service],
            &["trend"],
            &["trend", "--service", &service],
            &["who", &fingerprint],
            &["regressions", "--days", "90"],
            &["rollout", &service, "--days", "90"],
            // Nothing but what is listed counts, and a name that no folder can have is read.
            &[
                "sql",
                "SELECT count(*) AS a, count(DISTINCT id) AS b, min(day) AS c FROM weighings",
            ],
            &[
                "sql",
                "SELECT id, host, captured_at, dead, partial FROM weighings WHERE service = 'a b/ü'",
            ],
            &[
                "sql",
                "SELECT count(*) AS a FROM findings WHERE saves > (SELECT avg(saves) FROM findings)",
            ],
        ] {
            asked.push(question.iter().map(|&word| word.to_owned()).collect());
        }
        let mut have_rows = 0;
        for question in &asked {
            let (here, there) = cluster.both(&fleet, question);
            assert!(
                is_equal(&here, &there),
                "{question:?} gives\n{here}\nhere, and there\n{there}"
            );
            have_rows += usize::from(here.as_array().is_some_and(|rows| rows.len() > 10));
        }
        assert_eq!(have_rows, rows, "the questions of engines/questions.sql");
        cluster.both_executors_worked();

        // What only the process has is answered all the same: nothing of it is lost on the way.
        for question in [
            &[
                "sql",
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'findings'",
            ][..],
            &[
                "sql",
                "SELECT w.service, t.table_name FROM (SELECT DISTINCT service FROM weighings) AS w \
               CROSS JOIN information_schema.tables AS t WHERE t.table_name = 'weighings' ORDER BY w.service",
            ],
            &[
                "sql",
                "SELECT count(*) AS a, sum(dead) AS b, max(service) AS c FROM weighings WHERE 1 = 0",
            ],
            &["sql", "SELECT id, dead FROM weighings WHERE 1 = 0"],
            &["sql", "SELECT 1 AS a, 'b' AS b"],
            &["trend", "--service", "no such service"],
            &["top", "--service", "no such service"],
        ] {
            let (here, there) = cluster.both(&fleet, question);
            assert!(is_equal(&here, &there), "{question:?}: {here}, not {there}");
        }
        let pages = [&[][..], &["--scheduler", &cluster.address]].map(|more| page_of(&fleet, more));
        assert!(pages[0].contains(&service), "{}", pages[0]);
        assert_eq!(pages[0], pages[1]);
        let text = complaint(
            &fleet,
            &[
                "--scheduler",
                &cluster.address,
                "sql",
                "SELECT nothing FROM weighings",
            ],
        );
        assert!(text.contains("nothing"), "{text}");

        // A cluster that sees fewer rows than the log lists, as one that does not reach all files, gives no answer.
        let part = fleet.json(&["parts"])[0]["name"]
            .as_str()
            .expect("a name")
            .to_owned();
        one_row_more(&fleet, &part);
        let count = &[
            "--scheduler",
            &cluster.address,
            "sql",
            "SELECT sum(held) FROM weighings",
        ][..];
        let text = complaint(&fleet, count);
        assert!(text.contains("sees 3001 of 3002 rows of weighings"), "{text}");
        let address = cluster.address.clone();
        drop(cluster);
        let text = complaint(&fleet, &["--scheduler", &address, "top"]);
        assert!(text.contains("no scheduler answers"), "{text}");
    }

    /// Has the log list a row more of a part than its file has.
    fn one_row_more(fleet: &Fleet, part: &str) {
        let log = std::fs::read_dir(fleet.dataset().join("log")).expect("a log");
        for entry in log.map(|entry| entry.expect("an entry").path()) {
            let text = std::fs::read(&entry).expect("it is there");
            let mut content: Value = serde_json::from_slice(&text).expect("an entry is JSON");
            for name in ["add", "parts"] {
                let parts = content.get_mut(name).and_then(Value::as_array_mut);
                for listed in parts
                    .into_iter()
                    .flatten()
                    .filter(|listed| listed["name"] == part)
                {
                    let rows = listed["rows"]["weighings"].as_u64().expect("a number");
                    listed["rows"]["weighings"] = Value::from(rows + 1);
                }
            }
            std::fs::write(&entry, content.to_string()).expect("it is written");
        }
    }

    /// What the page of a server shows of the fleet, in JSON.
    fn page_of(fleet: &Fleet, more: &[&str]) -> String {
        let server = Server::start(fleet, more);
        let answer = ureq::get(format!("http://{}/api/fleet", server.address)).call();
        let text = answer.map(|answer| answer.into_body().read_to_string());
        text.expect("an answer").expect("text")
    }

    /// A scheduler and two executors on loopback; they go with the test.
    struct Cluster {
        address: String,
        processes: Vec<Child>,
        work: TempDir,
    }

    impl Cluster {
        fn start() -> Self {
            let programs = installed();
            let work = tempfile::tempdir().expect("a folder");
            let port = free_port();
            let mut cluster = Self {
                address: format!("df://127.0.0.1:{port}"),
                processes: Vec::new(),
                work,
            };
            let port = port.to_string();
            let mut scheduler = Command::new(programs.join("ballista-scheduler"));
            scheduler.args([
                "--bind-host",
                "127.0.0.1",
                "--external-host",
                "127.0.0.1",
                "--bind-port",
                &port,
            ]);
            cluster.spawn(&mut scheduler, "scheduler");
            cluster.wait("scheduler", || {
                TcpStream::connect(("127.0.0.1", port.parse().expect("a number"))).is_ok()
            });
            for name in ["one", "two"] {
                let (flight, grpc, health) = (free_port(), free_port(), free_port());
                let mut executor = Command::new(programs.join("ballista-executor"));
                executor
                    .args(["--scheduler-host", "127.0.0.1", "--scheduler-port", &port])
                    .args(["--bind-host", "127.0.0.1", "--external-host", "127.0.0.1"])
                    .args([
                        "--bind-port",
                        &flight.to_string(),
                        "--bind-grpc-port",
                        &grpc.to_string(),
                    ])
                    .args(["--bind-health-port", &health.to_string(), "--vcores", "2"])
                    .arg("--work-dir")
                    .arg(cluster.work_of(name));
                std::fs::create_dir(cluster.work_of(name)).expect("a folder");
                cluster.spawn(&mut executor, name);
                let ready = format!("http://127.0.0.1:{health}/readyz");
                cluster.wait(name, || ureq::get(&ready).call().is_ok());
            }
            cluster
        }

        fn spawn(&mut self, command: &mut Command, name: &str) {
            let log = std::fs::File::create(self.log_of(name)).expect("a file");
            let process = command
                .current_dir(self.work.path())
                .stdin(Stdio::null())
                .stdout(log.try_clone().expect("a file"))
                .stderr(log)
                .spawn()
                .expect("it starts");
            self.processes.push(process);
        }

        fn wait(&self, name: &str, is_up: impl Fn() -> bool) {
            let start = Instant::now();
            while !is_up() {
                let log = std::fs::read_to_string(self.log_of(name)).unwrap_or_default();
                assert!(
                    start.elapsed() < Duration::from_mins(1),
                    "{name} does not come up: {log}"
                );
                thread::sleep(Duration::from_millis(100));
            }
        }

        fn log_of(&self, name: &str) -> PathBuf {
            self.work.path().join(format!("{name}.log"))
        }

        fn work_of(&self, executor: &str) -> PathBuf {
            self.work.path().join(executor)
        }

        /// The answer of the process, and that of the cluster.
        fn both(&self, fleet: &Fleet, question: &[impl AsRef<str>]) -> (Value, Value) {
            let question: Vec<&str> = question.iter().map(AsRef::as_ref).collect();
            let there = [
                &["--scheduler", &self.address],
                &question[..],
                &["--format", "json"],
            ]
            .concat();
            (fleet.json(&question), self.answer(fleet, &there))
        }

        /// What is printed, within a time that no question takes: a job may wait for ever.
        fn answer(&self, fleet: &Fleet, arguments: &[&str]) -> Value {
            let (out, err) = (self.work.path().join("out"), self.work.path().join("err"));
            let file = |path| std::fs::File::create(path).expect("a file");
            let mut command = fleet.command(arguments);
            let mut process = command
                .stdout(file(&out))
                .stderr(file(&err))
                .spawn()
                .expect("it starts");
            let start = Instant::now();
            let status = loop {
                if let Some(status) = process.try_wait().expect("it runs") {
                    break status;
                }
                if start.elapsed() > Duration::from_mins(2) {
                    process.kill().expect("it runs");
                    panic!("{arguments:?} has no answer after two minutes");
                }
                thread::sleep(Duration::from_millis(10));
            };
            let said = std::fs::read_to_string(err).expect("text");
            assert!(status.success(), "{arguments:?}: {said}");
            serde_json::from_str(&std::fs::read_to_string(out).expect("text")).expect("JSON")
        }

        /// Each wrote what the other, or the client, then read.
        fn both_executors_worked(&self) {
            let jobs = |name| -> HashSet<_> {
                let entries = std::fs::read_dir(self.work_of(name)).expect("a folder");
                entries
                    .map(|entry| entry.expect("an entry").file_name())
                    .collect()
            };
            let (one, two) = (jobs("one"), jobs("two"));
            assert!(!one.is_empty() && !two.is_empty(), "{one:?} and {two:?}");
            assert!(
                one.intersection(&two).count() > 0,
                "no question was answered by both"
            );
        }
    }

    impl Drop for Cluster {
        fn drop(&mut self) {
            for process in &mut self.processes {
                let _ = process.kill();
                let _ = process.wait();
            }
        }
    }

    /// The folder with both programs, which are built where they are not there yet.
    fn installed() -> PathBuf {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ballista-{VERSION}"));
        let names = ["ballista-scheduler", "ballista-executor"];
        if names.iter().all(|name| home.join("bin").join(name).is_file()) {
            return home.join("bin");
        }
        eprintln!(
            "building the scheduler and the executor of Ballista {VERSION} in {}, once",
            home.display()
        );
        let status = Command::new(env!("CARGO"))
            .args(["install", "--quiet", "--locked", "--debug"])
            .args(["--no-default-features", "--features", "build-binary"])
            .args(names.map(|name| format!("{name}@{VERSION}")))
            .arg("--root")
            .arg(&home)
            .env("CARGO_TARGET_DIR", home.join("build"))
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .status()
            .expect("cargo starts");
        assert!(status.success(), "cargo install ends with {status}");
        home.join("bin")
    }

    fn free_port() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("its number").port()
    }
}
