//! Weighings to report on.
#![allow(dead_code, reason = "each test file uses its own part")]

use deadweight_weighing::{
    AgainAt, ChurnSite, Churned, Code, Confidence, Curve, CurveOf, External, Finding, Group, Held, HeldAgain,
    Holding, Holdings, Moment, NotMeasured, OTHERS, Page, Process, Rewritten, Rulebook, RuntimeInfo, SCHEMA,
    Sampled, Source, Tier, TypeShare, Unseen, UnseenOf, UnseenPlace, Weighing,
};
use serde_json::{Map, Value, json};

/// The pages of all rules, from where they are published: what a report quotes needs no rule.
pub fn rulebook() -> Rulebook {
    let folder = format!("{}/../../docs/rules", env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(folder).expect("the rules' pages");
    let pages = pages.filter_map(|page| {
        let path = page.expect("a file").path();
        let code = path.file_stem()?.to_str()?.to_owned();
        let text = std::fs::read_to_string(&path).expect("a page");
        let source = format!("//! {}", text.trim_end().replace('\n', "\n//! "));
        (code != "README").then(|| Page::of_source(Code(code.leak()), &source))
    });
    Rulebook::new(pages)
}

/// An exact finding.
pub fn finding(
    rule: &str,
    holder: &str,
    count: u64,
    unaffected: u64,
    saves: u64,
    title: &str,
    fix: &str,
) -> Finding {
    let likely = !matches!(rule, "D01" | "L01" | "L02" | OTHERS);
    Finding {
        rule: rule.into(),
        holder: holder.into(),
        site: None,
        count,
        unaffected,
        bytes_now: saves + saves / 4,
        bytes_after: saves / 4,
        saves,
        saves_alone: saves,
        external: false,
        confidence: Confidence::Exact,
        tier: if likely { Tier::Likely } else { Tier::Sure },
        assumes: likely.then(|| "the program goes on as it does".into()),
        fingerprint: "00c0ffee00c0ffee".into(),
        title: title.into(),
        fix: fix.into(),
        evidence: Map::new(),
        frees: Vec::new(),
        shared: Vec::new(),
        path: Vec::new(),
        line: None,
    }
}

fn evidence(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// A round of measurements: every section is there.
pub fn rich() -> Weighing {
    let mut interned = finding(
        "D01",
        "Measurement.cid",
        298_912,
        1_088,
        41_240_000,
        "300,000 strings hold 1,088 values",
        "keep one copy of each of the 1,088 values that repeat (intern them)",
    );
    interned.evidence = evidence(&json!({
        "strings": 300_000, "values": 1_088,
        "examples": [{"value": "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylq", "copies": 3_211, "bytes_each": 72}]
    }));
    interned.assumes = Some("texts the dump cuts off are equal when their start and size are".into());
    interned.confidence = Confidence::Estimate;
    interned.saves_alone = 48_900_000;
    let mut zeros = finding(
        "E01",
        "Histogram.counts",
        312,
        0,
        38_100_000,
        "312 buffers are 99.7 % zeros, sized for values that never came",
        "start small and grow on demand, or keep the values and sort them",
    );
    zeros.external = true;
    let mut dates = finding(
        "L03",
        "Measurement.start_at",
        900_000,
        0,
        28_800_000,
        "900,000 dates, each an object of its own",
        "keep the milliseconds as a number in the field",
    );
    dates.evidence = evidence(&json!({"examples": ["2024-02-13T10:31:07.000Z"]}));
    let mut others = finding(
        OTHERS,
        "",
        12,
        0,
        610_000,
        "12 others, each too small to matter",
        "list them with --all",
    );
    others.confidence = Confidence::Estimate;
    Weighing {
        schema: SCHEMA.into(),
        source: Source {
            path: "/srv/spark/round-4912.heapsnapshot".into(),
            bytes: 312_400_000,
            format: "v8-heapsnapshot".into(),
        },
        runtime: RuntimeInfo {
            name: "node".into(),
            version: "22.11.0".into(),
            word_bytes: 8,
            allocator: "v8".into(),
        },
        process: Some(Process {
            heap_used: Some(238_900_000),
            heap_asked: None,
            heap_total: Some(260_000_000),
            external: Some(41_300_000),
            rss: Some(512_300_000),
            ..Process::default()
        }),
        held: Held {
            bytes: 236_100_000,
            content: 41_300_000,
            runtime: 14_800_000,
            dead: 180_000_000,
            dead_sure: Some(151_200_000),
            objects: 4_812_331,
        },
        external: External {
            bytes: 41_200_000,
            dead: 38_100_000,
            dead_sure: Some(0),
        },
        findings: vec![
            finding(
                "L01",
                "Measurement",
                300_000,
                0,
                104_050_000,
                "300,000 objects with a hidden class each",
                "give every field a value in the constructor, in one order",
            ),
            interned,
            zeros,
            dates,
            finding(
                "L02",
                "Measurement.protocols",
                41_020,
                258_980,
                5_300_000,
                "41,020 objects are dictionaries though 6 keys make up all of them",
                "make them a class with these fields",
            ),
            others,
        ],
        groups: Vec::new(),
        options: vec![finding(
            "L06",
            "Measurement",
            300_000,
            0,
            22_100_000,
            "300,000 records of one shape, read field by field",
            "keep one typed array for each field",
        )],
        not_measured: vec![
            NotMeasured {
                rule: "C02".into(),
                why: "the dump has no capacities of arrays".into(),
                how: "deadweight capture --numbers".into(),
            },
            NotMeasured {
                rule: "C03".into(),
                why: "the dump has no capacities of arrays".into(),
                how: "deadweight capture --numbers".into(),
            },
        ],
        churned: None,
        holdings: None,
        partial: None,
        estimated: None,
        unseen: None,
        garbage: None,
        curve: None,
        again: None,
    }
}

/// A small cache that keeps most of the heap alive, and what stands in it.
pub fn retained() -> Weighing {
    let place = |holder: &str, holds: &str, count, bytes, external, retained| Holding {
        holder: holder.into(),
        of: None,
        holds: holds.into(),
        runtime: retained == 0,
        count,
        bytes,
        external,
        left: None,
        external_left: None,
        retained: (retained > 0).then_some(retained),
    };
    let mut places = vec![
        place("", "runtime", 70_112, 4_200_000, 0, 0),
        place("Measurement.cid", "string", 300_000, 41_400_000, 0, 41_400_000),
        place(
            "Round.measurements[]",
            "Measurement",
            300_000,
            38_400_000,
            0,
            118_600_000,
        ),
        place(
            "Measurement.histogram",
            "ArrayBuffer",
            300_000,
            28_800_000,
            10_000_000,
            38_800_000,
        ),
        place("rounds", "Round", 1, 56, 0, 118_602_456),
    ];
    places.extend((0..9).map(|at| place(&format!("cache{at}"), "Map", 1, 32, 0, 2000 - at)));
    Weighing {
        holdings: Some(Holdings {
            places,
            ..Holdings::default()
        }),
        ..rich()
    }
}

/// Nothing wasted, all measured.
pub fn empty() -> Weighing {
    let rich = rich();
    Weighing {
        process: None,
        held: Held {
            bytes: 5_200_000,
            content: 3_100_000,
            runtime: 2_100_000,
            dead: 0,
            dead_sure: Some(0),
            objects: 61_204,
        },
        external: External::default(),
        findings: Vec::new(),
        options: Vec::new(),
        not_measured: Vec::new(),
        ..rich
    }
}

/// The same of a process that said how much it had.
pub fn clean() -> Weighing {
    Weighing {
        process: Some(Process {
            heap_used: Some(5_200_000),
            heap_total: Some(6_100_000),
            external: Some(1_700_000),
            rss: Some(47_300_000),
            rss_peak: Some(51_900_000),
            ..Process::default()
        }),
        ..empty()
    }
}

/// A process whose memory is mostly in a worker thread.
pub fn unseen() -> Weighing {
    let mut weighing = clean();
    if let Some(process) = &mut weighing.process {
        process.rss = Some(139_000_000);
        process.rss_peak = Some(142_000_000);
    }
    weighing.unseen = Some(Unseen {
        of: UnseenOf::Resident,
        whole: 139_000_000,
        shown: 6_900_000,
        base: 42_000_000,
        places: vec![
            UnseenPlace {
                what: "the heaps of worker threads (1 was started)".into(),
                bytes: None,
                how: "call writeHeapSnapshot in the worker".into(),
            },
            UnseenPlace {
                what: "free room of the heap, where objects were before the capture".into(),
                bytes: Some(1_200_000),
                how: "deadweight run --when 'rss>106MB' -- PROGRAM".into(),
            },
        ],
    });
    weighing
}

/// Nothing found that is worth a row.
pub fn almost_clean() -> Weighing {
    let mut others = finding(
        OTHERS,
        "",
        1,
        0,
        24,
        "1 other, too small to list",
        "list them with --all",
    );
    others.confidence = Confidence::Exact;
    let mut weighing = clean();
    (weighing.held.dead, weighing.held.content) = (24, weighing.held.content - 24);
    weighing.held.dead_sure = Some(24);
    weighing.findings = vec![others];
    weighing
}

/// A dump that ends early.
pub fn partial() -> Weighing {
    Weighing {
        partial: Some("the dump ends at byte 201,326,592 of 312,400,000, inside the strings".into()),
        ..rich()
    }
}

/// A dump that does not prove its layout.
pub fn estimated() -> Weighing {
    Weighing {
        estimated: Some("the sizes of objects are assumed: only 71.3 % of the objects explain them".into()),
        ..rich()
    }
}

/// More findings than a screen shows.
pub fn long() -> Weighing {
    let mut long = rich();
    long.findings = (0..23)
        .map(|at| {
            let mut finding = finding(
                "D01",
                &format!("Store.table{{}}.field{at}"),
                10_000 - at * 100,
                5,
                20_000_000 / (at + 1),
                "strings hold fewer values",
                "intern them",
            );
            finding.external = at % 5 == 4;
            finding
        })
        .chain(
            rich()
                .findings
                .into_iter()
                .filter(|finding| finding.rule == OTHERS),
        )
        .collect();
    long
}

/// Five fields of one type that one edit fixes, beside findings of their own.
pub fn grouped() -> Weighing {
    let mut grouped = rich();
    for (at, field) in ["town", "trade", "street", "title", "phone"].iter().enumerate() {
        let at = at as u64;
        let mut strings = finding(
            "D01",
            &format!("Person.{field}"),
            1_000 - at,
            5,
            30_000_000 - at * 1_000_000,
            &format!("{} strings hold 5 values", 1_000 - at),
            "keep one copy of each of 5 values (intern them)",
        );
        strings.fingerprint = format!("00c0ffee00c0ffe{at}");
        grouped.findings.push(strings);
    }
    grouped.findings.retain(|finding| finding.rule != "L03");
    grouped.groups = vec![Group {
        rule: "D01".into(),
        of: "Person".into(),
        fix: "keep one copy of each of 5 values (intern them)".into(),
        tier: Tier::Sure,
        external: false,
        saves: 140_000_000,
        findings: (0..5).map(|at| format!("00c0ffee00c0ffe{at}")).collect(),
    }];
    grouped
}

/// Every text tries to act on the terminal.
pub fn hostile() -> Weighing {
    let mut hostile = rich();
    hostile.source.path = "dump\x1b]0;title\x07\n.bin".into();
    hostile.runtime.version = "1\u{202e}2".into();
    hostile.partial = Some("\x1b[2Jcleared\r\nheld 0 B".into());
    hostile.estimated = Some("\x1b[2Jcleared\r\nheld 1 B".into());
    hostile.findings.truncate(2);
    hostile.findings[0].holder = "A\x1b[31m.x\nnext 0 B\u{9b}K".into();
    hostile.findings[0].title = "a title\r\nand a forged row".into();
    hostile.findings[0].fix = format!("e{}nd", "\u{301}".repeat(5_000));
    hostile.findings[1].holder = "数据库记录管理器的一个非常长的类型名称.字段的名称也非常非常长".into();
    hostile.findings[1].evidence =
        evidence(&json!({"examples": [{"value": "\u{2066}\u{0}\tx", "copies": 2}]}));
    hostile.findings[1].saves = u64::MAX;
    hostile.held.runtime = u64::MAX;
    hostile.options.clear();
    hostile.not_measured.truncate(1);
    hostile.not_measured[0].why = "no \x1b[1mreason\nat all".into();
    hostile
}

/// Allocations of a client, with nothing known of what is held.
pub fn churn() -> Weighing {
    let mut rebuilt = finding(
        "T04",
        "",
        20_000,
        0,
        640_000,
        "20,000 equal arrays, one per call",
        "make it a constant",
    );
    rebuilt.site = Some("src/client.cr:107".into());
    rebuilt.holder = "Client#get".into();
    let site = |place: &str, function: &str, bytes: u64, kept: Option<u64>, types: &[&str]| ChurnSite {
        site: place.into(),
        function: function.into(),
        bytes,
        low: bytes - bytes / 20,
        high: bytes + bytes / 20,
        objects: kept.map(|_| bytes / 32),
        kept_bytes: kept,
        types: types
            .iter()
            .map(|name| TypeShare {
                name: (*name).into(),
                bytes: bytes / 2,
            })
            .collect(),
    };
    let rewritten = Rewritten {
        fingerprint: rebuilt.fingerprint.clone(),
        file: "src/client.cr".into(),
        line: 107,
        before: vec!["  codes = [0x00, 0x0c]".into()],
        after: vec!["  codes = CODES".into()],
        conditions: None,
    };
    Weighing {
        held: Held::default(),
        external: External::default(),
        findings: Vec::new(),
        options: Vec::new(),
        not_measured: Vec::new(),
        process: None,
        churned: Some(Churned {
            bytes: 3_520_000,
            objects: Some(60_000),
            kept_bytes: Some(12_000),
            operations: 10_000,
            dead: rebuilt.saves,
            sampled: Some(Sampled {
                every_bytes: Some(60_488),
                every_objects: None,
                windows: None,
                samples: 58,
                low: 2_600_000,
                high: 4_440_000,
            }),
            findings: vec![rebuilt],
            options: Vec::new(),
            sites: vec![
                site(
                    "src/a/very/long/path/to/the/protocol/client.cr:107",
                    "Client#get",
                    2_560_000,
                    Some(12_000),
                    &["String", "Array(UInt8)"],
                ),
                site("", "", 960_000, None, &[]),
            ],
            rewrites: vec![rewritten],
            allocated: None,
        }),
        ..rich()
    }
}

/// A batch program that was captured after its data had gone.
pub fn past() -> Weighing {
    let moment = |ms, bytes| Moment { ms, bytes };
    let points = [
        moment(200, 6_000_000),
        moment(900, 61_000_000),
        moment(2_100, 230_000_000),
        moment(3_000, 412_000_000),
        moment(5_500, 398_000_000),
        moment(6_000, 9_000_000),
    ];
    let mut curve = Curve::new(CurveOf::Collected, &points, points[3], moment(12_400, 5_100_000));
    curve.how = Some("deadweight run --when peak -- node build.js --all".into());
    Weighing {
        curve: Some(curve),
        ..empty()
    }
}

/// One of three workers of a cluster, which have the same table.
pub fn again() -> Weighing {
    let at = |holder: &str, holds: &str, bytes| AgainAt {
        holder: holder.into(),
        holds: holds.into(),
        heaps: 3,
        bytes,
    };
    Weighing {
        again: Some(HeldAgain {
            heaps: 4,
            bytes: 40_210_000,
            estimated: true,
            held: 92_000_000,
            known: 64_000_000,
            shared: Some(1_500_000),
            places: vec![
                at("Row.name", "string", 27_600_000),
                at("catalogue{keys}", "string", 11_800_000),
            ],
            elsewhere: 810_000,
        }),
        ..empty()
    }
}
