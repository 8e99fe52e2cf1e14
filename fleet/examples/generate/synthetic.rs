//! A made-up fleet: 50 services that run for 90 days on 4 to 40 hosts each, with releases that roll out over two days,
//! findings that come with a release and go with a later one, and sizes as those of real weighings.

use std::fmt::Write as _;

use chrono::{DateTime, TimeDelta, Utc};
use deadweight_weighing::{
    Confidence, External, Finding, Folded, Freed, Held, Holding, Holdings, Line, LineOf, Process,
    RuntimeInfo, SCHEMA, Source, Tier, Weighing,
};
use serde_json::{Map, Value, json};

pub const SERVICES: u64 = 50;

pub const DAYS: u64 = 90;

const MINUTES: u64 = DAYS * 24 * 60;

/// 2026-06-01T00:00:00Z.
const START: i64 = 1_780_272_000;

const RULES: [&str; 8] = ["D01", "D02", "C03", "E01", "L03", "R01", "C02", "L01"];

const TYPES: [&str; 24] = [
    "string",
    "Array",
    "Map",
    "Order",
    "OrderLine",
    "Customer",
    "Session",
    "Price",
    "Measurement",
    "Round",
    "Token",
    "Route",
    "Handler",
    "Buffer",
    "Set",
    "Date",
    "Node",
    "Edge",
    "Row",
    "Column",
    "closure",
    "Header",
    "Event",
    "Span",
];

/// Numbers that look random and are the same every time (Steele and others, *Fast splittable pseudorandom number
/// generators*, 2014).
#[derive(Clone)]
struct Random(u64);

impl Random {
    /// Of several keys.
    fn of(keys: &[u64]) -> Self {
        let mut random = Self(0x5eed);
        for key in keys {
            random.0 ^= key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

struct Service {
    number: u64,
    name: String,
    hosts: u64,
    /// Minutes from one release to the next.
    release: u64,
    runtime: (&'static str, &'static str, &'static str, &'static str),
    content: f64,
}

impl Service {
    fn of(number: u64) -> Self {
        const NAMES: [&str; 10] = [
            "api", "billing", "catalog", "checkout", "feed", "mail", "search", "sessions", "stock", "worker",
        ];
        const RUNTIMES: [(&str, &str, &str, &str); 5] = [
            ("node", "22.12.0", "v8", "v8-heapsnapshot"),
            ("ruby", "3.4.1", "jemalloc", "ruby-objspace"),
            ("cpython", "3.13.1", "pymalloc", "dwpython"),
            ("jvm", "21.0.5", "jvm", "hprof"),
            ("native", "", "glibc", "dwnative"),
        ];
        let mut random = Random::of(&[1, number]);
        Self {
            number,
            name: format!("{}-{}", NAMES[(number % 10) as usize], number / 10 + 1),
            hosts: 4 + random.below(37),
            release: (5 + random.below(16)) * 24 * 60,
            runtime: RUNTIMES[random.below(5) as usize],
            content: random.between(17.0, 20.5).exp(),
        }
    }

    /// The release that a host runs in that minute.
    fn version(&self, host: u64, minute: u64) -> u64 {
        let late = 2 * 24 * 60 * host / self.hosts;
        (minute + self.release).saturating_sub(late) / self.release
    }
}

/// The weighing of that number, of so many, in its envelope and with the end of its line. Later numbers are of later times.
pub fn line(at: u64, of: u64) -> String {
    let service = Service::of(at % SERVICES);
    let each = of.div_ceil(SERVICES).max(1);
    let nth = at / SERVICES;
    let host = nth % service.hosts;
    let mut random = Random::of(&[2, at]);
    let minute = (nth * MINUTES / each + random.below((MINUTES / each).max(1))).min(MINUTES - 1);
    let version = service.version(host, minute);
    let captured_at: DateTime<Utc> =
        DateTime::from_timestamp(START, 0).unwrap_or_default() + TimeDelta::minutes(minute.cast_signed());
    let weighing = weighing(&service, host, version, minute, &mut random);
    let mut line = String::with_capacity(12_000);
    let _ = writeln!(
        line,
        "{{\"service\":\"{}\",\"version\":\"1.{version}.0\",\"host\":\"{}-{host:02}\",\"captured_at\":\"{}\",\"weighing\":{}}}",
        service.name,
        service.name,
        captured_at.to_rfc3339(),
        serde_json::to_string(&weighing).expect("a weighing is JSON")
    );
    line
}

fn weighing(service: &Service, host: u64, version: u64, minute: u64, random: &mut Random) -> Weighing {
    let hour = (minute as f64 / 60.0).rem_euclid(24.0);
    let of_day = 1.0 + 0.15 * (hour / 24.0 * std::f64::consts::TAU).sin();
    let of_host = Random::of(&[3, service.number, host]).between(0.9, 1.1);
    let content = (service.content * of_day * of_host * random.between(0.97, 1.03)) as u64;
    let runtime = (service.content * 0.08) as u64 + random.below(100_000);
    let mut findings = findings(service, version, content, random);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.saves));
    let sum = |external: bool, sure_alone: bool| -> u64 {
        let of = findings.iter().filter(|finding| finding.external == external);
        of.filter(|finding| !sure_alone || finding.tier == Tier::Sure)
            .map(|finding| finding.saves)
            .sum()
    };
    let held = Held {
        bytes: content + runtime + sum(false, false),
        content,
        runtime,
        dead: sum(false, false),
        dead_sure: Some(sum(false, true)),
        objects: content / 70,
    };
    let external = External {
        bytes: content / 20 + sum(true, false),
        dead: sum(true, false),
        dead_sure: Some(sum(true, true)),
    };
    let holdings = holdings(&held, &external, runtime, &findings, service, random);
    let (name, runtime_version, allocator, format) = service.runtime;
    Weighing {
        schema: SCHEMA.to_owned(),
        source: Source {
            path: format!("/var/lib/dumps/{}-{host}-{minute}.heapsnapshot", service.name),
            bytes: held.bytes * 2,
            format: format.to_owned(),
        },
        runtime: RuntimeInfo {
            name: name.to_owned(),
            version: runtime_version.to_owned(),
            word_bytes: 8,
            allocator: allocator.to_owned(),
        },
        process: Some(Process {
            heap_used: Some(held.bytes),
            heap_total: Some(held.bytes + held.bytes / 10),
            external: Some(external.bytes),
            rss: Some(held.bytes + external.bytes + 40_000_000),
            ..Process::default()
        }),
        held,
        external,
        findings,
        groups: Vec::new(),
        options: Vec::new(),
        not_measured: Vec::new(),
        churned: None,
        holdings: Some(holdings),
        partial: None,
        estimated: None,
        unseen: None,
        garbage: None,
        curve: None,
        again: None,
    }
}

/// What the release has: each finding comes with one and most go with a later one.
fn findings(service: &Service, version: u64, content: u64, random: &mut Random) -> Vec<Finding> {
    let mut of_service = Random::of(&[4, service.number]);
    let candidates = 6 + of_service.below(8);
    let mut findings = Vec::new();
    for nth in 0..candidates {
        let mut own = Random::of(&[5, service.number, nth]);
        let from = own.below(6);
        let until = from + 1 + own.below(12);
        let share = own.between(0.003, 0.05);
        if version < from || version >= until {
            continue;
        }
        let saves = (content as f64 * share * random.between(0.95, 1.05)) as u64;
        findings.push(finding(&mut own, saves));
    }
    findings
}

fn finding(own: &mut Random, saves: u64) -> Finding {
    let rule = RULES[own.below(8) as usize];
    let of = TYPES[3 + own.below(16) as usize];
    let holds = TYPES[own.below(3) as usize];
    let field = [
        "id",
        "name",
        "kind",
        "tags",
        "lines",
        "created_at",
        "status",
        "owner",
    ][own.below(8) as usize];
    let is_sure = own.below(2) == 0;
    let count = saves / 48 + 1;
    let examples: Vec<Value> = (0..4)
        .map(|at| json!({"value": format!("value {} of {field}", own.below(1_000)), "copies": count / (at + 2)}))
        .collect();
    let mut evidence = Map::new();
    evidence.insert("values".to_owned(), Value::Array(examples));
    evidence.insert("different".to_owned(), (count / 40 + 1).into());
    evidence.insert("bytes_each".to_owned(), 48.into());
    Finding {
        rule: rule.to_owned(),
        holder: format!("{of}.{field}"),
        site: None,
        count,
        unaffected: count / 10,
        bytes_now: saves + saves / 20,
        bytes_after: saves / 20,
        saves,
        saves_alone: saves + saves / 50,
        external: own.below(12) == 0,
        confidence: if is_sure {
            Confidence::Exact
        } else {
            Confidence::Estimate
        },
        tier: if is_sure { Tier::Sure } else { Tier::Likely },
        assumes: (!is_sure).then(|| format!("no part of the program changes {field} of {of} in place")),
        fingerprint: format!("{:016x}", own.next()),
        title: format!("{count} texts at {of}.{field} hold {} values", count / 40 + 1),
        fix: format!("keep one copy of each value where {of}.{field} is read"),
        evidence,
        frees: vec![Freed {
            holder: format!("{of}.{field}"),
            holds: holds.to_owned(),
            site: None,
            bytes: saves.cast_signed(),
        }],
        shared: Vec::new(),
        path: Vec::new(),
        line: Some(Line {
            file: format!("src/{}.js", of.to_lowercase()),
            line: 10 + own.below(400),
            column: Some(5),
            is: LineOf::Class,
            name: of.to_owned(),
            share: None,
            through: None,
            around: Vec::new(),
            around_from: None,
        }),
    }
}

/// All that is held by type; it adds up.
fn holdings(
    held: &Held,
    external: &External,
    runtime: u64,
    findings: &[Finding],
    service: &Service,
    random: &mut Random,
) -> Holdings {
    let place = |holder: String, holds: &str, of_runtime: bool, bytes: u64| Holding {
        of: (!of_runtime).then(|| holder.split('.').next().unwrap_or_default().to_owned()),
        holder,
        holds: holds.to_owned(),
        runtime: of_runtime,
        count: bytes / 60 + 1,
        bytes,
        external: 0,
        left: Some(bytes),
        external_left: None,
        retained: None,
    };
    let mut places = vec![place(String::new(), "runtime", true, runtime)];
    let mut left = held.content;
    for finding in findings.iter().filter(|finding| !finding.external) {
        let mut of = place(
            finding.holder.clone(),
            &finding.frees[0].holds,
            false,
            finding.saves,
        );
        of.left = Some(0);
        places.push(of);
    }
    let mut of_service = Random::of(&[6, service.number]);
    for _ in 0..14 + of_service.below(14) {
        let of = TYPES[3 + of_service.below(21) as usize];
        let holds = TYPES[of_service.below(24) as usize];
        let bytes = (left as f64 * random.between(0.1, 0.3)) as u64;
        left -= bytes;
        places.push(place(
            format!("{of}.{}", holds.to_lowercase()),
            holds,
            false,
            bytes,
        ));
    }
    if let Some(first) = places.get_mut(1) {
        first.external = external.bytes;
        first.external_left = Some(external.bytes - external.dead);
    }
    Holdings {
        places,
        folded: Folded {
            places: 40,
            count: left / 60,
            bytes: left,
            external: 0,
            largest: Some(left / 20),
            left: Some(left),
            external_left: None,
        },
    }
}
