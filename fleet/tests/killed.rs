//! `kill -9` at any moment: nothing that was acknowledged is lost, and nothing is there twice.

mod support;

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{NaiveDate, Utc};
use serde_json::Value;
use support::{Fleet, Server, envelope, synthetic, weighing};

/// Weighings of one round.
const ROUND: u64 = 60;

/// Numbers for the moments, which are other ones each time: what is seen once in a thousand times is looked for as well.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time");
        Self(now.as_nanos() as u64 | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// What is known from outside.
#[derive(Default)]
struct Known {
    /// Identities that a server acknowledged.
    acknowledged: HashSet<String>,
    /// All lines that were sent, whether or not they arrived.
    sent: Vec<String>,
}

#[test]
fn killed_twenty_times() {
    kill(20);
}

#[test]
#[ignore = "minutes: `cargo xtask test --full` runs it"]
fn killed_two_hundred_times() {
    kill(200);
}

fn kill(rounds: u64) {
    let fleet = Fleet::new();
    let mut moments = Moments::new();
    let mut known = Known::default();
    let mut killed = 0;
    for round in 0..rounds {
        let lines: Vec<String> = (round * ROUND..(round + 1) * ROUND)
            .map(|at| synthetic::line(at, 200 * ROUND))
            .collect();
        // What `retain` takes away is in no sum.
        let old = envelope(
            "old",
            "1",
            &format!("h{round}"),
            "2020-02-02T00:00:00Z",
            &weighing(9, &[("aa", 3)]),
        );
        fleet.ingest(&old, &[]);
        // The first files of a dataset come into being, too.
        killed += match round % 4 {
            0 => killed_ingest(&fleet, &lines, &mut moments),
            1 => killed_server(&fleet, &lines, &mut moments, &mut known),
            2 => killed_ingest(&fleet, &lines, &mut moments) + killed_upkeep(&fleet, "compact", &mut moments),
            _ => killed_beside(&fleet, &lines, &mut moments),
        };
        known.sent.extend(lines);
        check(&fleet, &known.acknowledged, round);
    }
    assert!(
        killed > rounds / 2,
        "{killed} of {rounds} were killed before they ended"
    );
    // Whoever sends again what was not acknowledged has all of it, once.
    let output = fleet.ingest(&known.sent.concat(), &["--batch", "500"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    check(&fleet, &known.acknowledged, rounds);
    fleet.says(&["compact"]);
    check(&fleet, &known.acknowledged, rounds);
    let row = &fleet.sql("SELECT count(*) AS rows FROM weighings WHERE service <> 'old'")[0];
    assert_eq!(row["rows"], known.sent.len());
}

/// Whether the dataset is as it must be at any moment.
fn check(fleet: &Fleet, acknowledged: &HashSet<String>, round: u64) {
    let rows = fleet.sql("SELECT id, count(*) AS rows FROM weighings GROUP BY id");
    let rows = rows.as_array().expect("rows");
    let twice = rows.iter().filter(|row| row["rows"] != 1).count();
    assert_eq!(twice, 0, "round {round}: so many are there more than once");
    let there: HashSet<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    let lost = acknowledged
        .iter()
        .filter(|id| !there.contains(id.as_str()))
        .count();
    assert_eq!(
        lost,
        0,
        "round {round}: so many of {} were lost",
        acknowledged.len()
    );
    // A weighing is there as a whole, or not at all.
    let whole = fleet.sql(
        "SELECT (SELECT coalesce(sum(findings), 0) FROM weighings) AS told, (SELECT count(*) FROM findings) AS found,
                (SELECT coalesce(sum(held + external), 0) FROM weighings) AS held,
                (SELECT coalesce(sum(bytes + external), 0) FROM holdings) AS by_type",
    );
    assert_eq!(whole[0]["told"], whole[0]["found"], "round {round}");
    assert_eq!(whole[0]["held"], whole[0]["by_type"], "round {round}");
}

/// Kills it after a while. Returns 1 when it had not ended before.
fn kill_after(child: &mut Child, wait: Duration) -> u64 {
    thread::sleep(wait);
    let is_running = child.try_wait().expect("its state").is_none();
    // SIGKILL; it may have ended in between.
    let _ = child.kill();
    child.wait().expect("it ends");
    u64::from(is_running)
}

fn start_ingest(fleet: &Fleet, lines: &[String]) -> Child {
    let mut child = fleet
        .command(&["ingest", "-", "--batch", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let lines = lines.concat();
    // Who reads may be killed.
    thread::spawn(move || input.write_all(lines.as_bytes()));
    child
}

fn killed_ingest(fleet: &Fleet, lines: &[String], moments: &mut Moments) -> u64 {
    kill_after(
        &mut start_ingest(fleet, lines),
        Duration::from_millis(moments.below(250)),
    )
}

fn killed_upkeep(fleet: &Fleet, command: &str, moments: &mut Moments) -> u64 {
    // So that there is something to retain, whatever day it is.
    let since = NaiveDate::from_ymd_opt(2026, 1, 1).expect("a day");
    let days = (Utc::now().date_naive() - since).num_days().to_string();
    let arguments = if command == "retain" {
        vec!["retain", "--days", &days]
    } else {
        vec![command]
    };
    let mut command = fleet.command(&arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    kill_after(&mut child, Duration::from_millis(moments.below(150)))
}

/// Two that write and two that rewrite, at once.
fn killed_beside(fleet: &Fleet, lines: &[String], moments: &mut Moments) -> u64 {
    let (some, others) = lines.split_at(lines.len() / 2);
    // Both send some of the same.
    let both = [others, &some[..10]].concat();
    let writers = [start_ingest(fleet, some), start_ingest(fleet, &both)];
    let killed = killed_upkeep(fleet, "compact", moments) + killed_upkeep(fleet, "retain", moments);
    let writers = writers.into_iter();
    killed
        + writers
            .map(|mut child| kill_after(&mut child, Duration::from_millis(moments.below(100))))
            .sum::<u64>()
}

fn killed_server(fleet: &Fleet, lines: &[String], moments: &mut Moments, known: &mut Known) -> u64 {
    let mut server = Server::quiet(fleet);
    let url = format!("http://{}/weighings", server.address);
    let next = Arc::new(Mutex::new(lines.to_vec()));
    let is_over = Arc::new(AtomicBool::new(false));
    let posters: Vec<_> = (0..4)
        .map(|_| {
            let (next, url, is_over) = (Arc::clone(&next), url.clone(), Arc::clone(&is_over));
            thread::spawn(move || {
                let mut acknowledged = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let Some(line) = next.lock().expect("the lines").pop() else {
                        break;
                    };
                    match ureq::post(&url).content_type("application/json").send(line) {
                        Ok(mut answer) => {
                            let text = answer.body_mut().read_to_string().unwrap_or_default();
                            // An answer that was cut off acknowledges nothing.
                            let id = serde_json::from_str::<Value>(&text).ok();
                            acknowledged
                                .extend(id.and_then(|answer| answer["id"].as_str().map(str::to_owned)));
                        }
                        Err(_) => break,
                    }
                }
                acknowledged
            })
        })
        .collect();
    let killed = kill_after(
        &mut server.process,
        Duration::from_millis(20 + moments.below(400)),
    );
    is_over.store(true, Ordering::Relaxed);
    for poster in posters {
        known.acknowledged.extend(poster.join().expect("it ends"));
    }
    killed
}
