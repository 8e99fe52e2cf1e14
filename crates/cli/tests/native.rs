//! Native programs from start to weighing: compiled here, recorded, weighed.

mod preload;

use std::fs;
use std::path::Path;

use preload::{compile, deadweight};
use serde_json::Value;

struct Weighed {
    printed: String,
    weighing: Value,
}

/// Runs the tree under the recorder and reads the report.
fn weighed(flags: &[&str]) -> Weighed {
    weighed_of("tree.cpp", flags, 5)
}

/// Runs a program that ends with `code` under the recorder and reads the report.
fn weighed_of(source: &str, flags: &[&str], code: i32) -> Weighed {
    weighed_with(source, flags, code, &[])
}

/// The same with settings in the environment.
fn weighed_with(source: &str, flags: &[&str], code: i32, settings: &[(&str, &str)]) -> Weighed {
    let home = tempfile::tempdir().unwrap();
    let program = compile(source, flags, home.path());
    record(&program, home.path(), code, settings)
}

/// Runs a compiled program.
fn record(program: &Path, home: &Path, code: i32, settings: &[(&str, &str)]) -> Weighed {
    let output = deadweight()
        .current_dir(home)
        .envs(settings.iter().copied())
        .args(["run", "--all", "--format", "json", "--output", "w.json", "--"])
        .arg(program)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    let weighing = serde_json::from_slice(&fs::read(home.join("w.json")).expect(&message)).unwrap();
    Weighed {
        printed: String::from_utf8(output.stdout).unwrap(),
        weighing,
    }
}

fn finding<'w>(weighing: &'w Value, rule: &str) -> &'w Value {
    let findings = weighing["findings"].as_array().unwrap();
    let mut of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
    of_rule
        .next()
        .unwrap_or_else(|| panic!("no {rule} in {weighing:#}"))
}

#[test]
fn a_stripped_program_shows_its_half_empty_nodes() {
    let Weighed { printed, weighing } = weighed(&["-O2", "-s"]);
    let nodes = finding(&weighing, "C02");
    assert_eq!(nodes["holder"], "Node", "types stay in stripped programs");
    let evidence = &nodes["evidence"];
    assert_eq!(
        (&evidence["slots"], &evidence["slot_bytes"]),
        (&16.into(), &48.into())
    );
    let counted: Vec<u64> = serde_json::from_value(evidence["used_slots"].clone()).unwrap();
    let printed: Vec<u64> = printed
        .split_whitespace()
        .map(|count| count.parse().unwrap())
        .collect();
    assert_eq!(counted, printed);
    let copies = finding(&weighing, "D02");
    assert!(copies["count"].as_u64().unwrap() >= 3997, "{copies:#}");
    assert!(
        copies["holder"].as_str().unwrap().starts_with("program+0x"),
        "{copies:#}"
    );

    let held = &weighing["held"];
    let sum: u64 = ["content", "runtime", "dead"]
        .iter()
        .map(|part| held[part].as_u64().unwrap())
        .sum();
    assert_eq!(sum, held["bytes"].as_u64().unwrap());
    let used = weighing["process"]["heap_used"].as_f64().unwrap();
    assert!(
        (held["bytes"].as_f64().unwrap() - used).abs() < 0.02 * used,
        "{weighing:#}"
    );
}

#[test]
fn nodes_of_a_pool_are_found_as_those_of_the_heap() {
    let Weighed { printed, weighing } = weighed_of("tree.cpp", &["-std=c++17", "-O2", "-s", "-DPOOLED"], 5);
    let evidence = &finding(&weighing, "C02")["evidence"];
    assert_eq!(
        (&evidence["slots"], &evidence["slot_bytes"]),
        (&16.into(), &48.into())
    );
    let counted: Vec<u64> = serde_json::from_value(evidence["used_slots"].clone()).unwrap();
    let counts = printed.split_whitespace().map(|count| count.parse().unwrap());
    assert_eq!(counted, counts.collect::<Vec<u64>>());
}

#[test]
fn the_second_cache_is_named_with_what_leaving_it_out_saves() {
    let flags = ["-O2", "-std=c++20", "-s"];
    let in_use = |weighed: &Weighed| -> f64 {
        weighed
            .printed
            .split_whitespace()
            .nth(1)
            .unwrap()
            .parse()
            .unwrap()
    };
    let with = weighed_of("second_cache.cpp", &[&flags[..], &["-DCACHE"]].concat(), 0);
    let without = weighed_of("second_cache.cpp", &flags, 0);
    let found = finding(&with.weighing, "R03");
    let (predicted, real) = (found["saves"].as_f64().unwrap(), in_use(&with) - in_use(&without));
    assert!((predicted - real).abs() < 0.01 * real, "{predicted} {real}");
    assert_eq!(found["evidence"]["copies"], 5000);
    assert_eq!(count(&without.weighing, "R03"), 0, "{:#}", without.weighing);
}

/// What a rule says would be saved in all, and the bytes in use that the program prints.
fn saves_and_bytes(weighed: &Weighed, rule: &str) -> (f64, f64) {
    let findings = weighed.weighing["findings"].as_array().unwrap();
    let saves = findings
        .iter()
        .filter(|finding| finding["rule"] == rule)
        .map(|finding| finding["saves"].as_f64().unwrap());
    let in_use = weighed.printed.split_whitespace().nth(1).unwrap();
    (saves.sum(), in_use.parse().unwrap())
}

#[test]
fn equal_strings_are_priced_as_the_program_that_keeps_one_of_each() {
    let flags = ["-O2", "-std=c++17", "-s"];
    let before = weighed_of("strings.cpp", &flags, 0);
    let after = weighed_of("strings.cpp", &[&flags[..], &["-DINTERNED"]].concat(), 0);
    let (predicted, bytes_before) = saves_and_bytes(&before, "D02");
    let (none, bytes_after) = saves_and_bytes(&after, "D02");
    // The table of values takes some.
    let real = bytes_before - bytes_after;
    assert!((predicted - real).abs() < 0.005 * real, "{predicted} {real}");
    assert!(none < 1.0, "{:#}", after.weighing);
}

/// What C03 says raw blocks would save, and the bytes in use that the program prints.
fn room_of(flags: &[&str], zero_fill: bool) -> (f64, f64, Value) {
    let mut all = vec!["-O2", "-std=c++17", "-g"];
    all.extend(flags);
    let settings: &[(&str, &str)] = if zero_fill {
        &[("DEADWEIGHT_ZERO_FILL", "1")]
    } else {
        &[]
    };
    let weighed = weighed_with("room.cpp", &all, 0, settings);
    let (saves, in_use) = saves_and_bytes(&weighed, "C03");
    (saves, in_use, weighed.weighing)
}

#[test]
fn room_that_was_never_used_is_priced_as_the_program_without_it() {
    let (predicted, before, weighing) = room_of(&[], true);
    let (none, after, _) = room_of(&["-DFIXED"], true);
    let real = before - after;
    assert!((predicted - real).abs() < 0.005 * real, "{predicted} {real}");
    assert!(none < 1.0, "{none}");
    let findings = weighing["findings"].as_array().unwrap();
    let mut holders: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["rule"] == "C03")
        .map(|finding| finding["holder"].as_str().unwrap())
        .collect();
    holders.sort_unstable();
    assert_eq!(
        holders,
        ["Person* in friends", "line"],
        "what doubles keeps its room"
    );
    let blind = |weighing: &Value| {
        let lines = weighing["not_measured"].as_array().unwrap();
        lines.iter().any(|line| line["rule"] == "C03")
    };
    assert!(!blind(&weighing));

    // Without zeros what was left behind hides some of it: less is found, and that is said.
    let (found, _, weighing) = room_of(&[], false);
    assert!(found < predicted && blind(&weighing), "{found} {weighing:#}");
}

#[test]
fn rare_fields_are_priced_as_the_program_that_keeps_them_beside_its_records() {
    let flags = ["-O2", "-std=c++17", "-g"];
    for (now, then, form) in [
        (&[][..], &["-DBESIDE"][..], "one record beside"),
        (&["-DMANY"], &["-DMANY", "-DAPART"], "a block for each field"),
    ] {
        let before = weighed_of("records.cpp", &[&flags[..], now].concat(), 0);
        let after = weighed_of("records.cpp", &[&flags[..], then].concat(), 0);
        let (predicted, bytes_before) = saves_and_bytes(&before, "C06");
        let (none, bytes_after) = saves_and_bytes(&after, "C06");
        let real = bytes_before - bytes_after;
        assert!((predicted - real).abs() < 0.005 * real, "{predicted} {real}");
        // References that are rarely in use are rare fields, too, though small ones.
        assert!(none < 0.2 * predicted, "{:#}", after.weighing);
        let findings = before.weighing["findings"].as_array().unwrap().iter();
        let rare: Vec<&Value> = findings.filter(|finding| finding["rule"] == "C06").collect();
        assert_eq!(rare.len(), 2, "{:#}", before.weighing);
        assert!(
            rare.iter().all(|finding| finding["evidence"]["form"] == form),
            "{rare:#?}"
        );
        assert_eq!(
            count(&before.weighing, "C03"),
            0,
            "no constructor can ask for less"
        );
    }
}

#[test]
fn a_healthy_program_has_no_half_empty_nodes_and_no_second_cache() {
    for optimised in ["-O0", "-O2"] {
        let weighing = weighed_of("healthy.cpp", &[optimised, "-std=c++20", "-s"], 0).weighing;
        assert_eq!(
            (count(&weighing, "C02"), count(&weighing, "R03")),
            (0, 0),
            "{weighing:#}"
        );
    }
}

fn count(weighing: &Value, rule: &str) -> usize {
    let findings = weighing["findings"].as_array().unwrap();
    findings.iter().filter(|finding| finding["rule"] == rule).count()
}

#[test]
fn debug_information_names_functions_and_lines() {
    let Weighed { weighing, .. } = weighed(&["-O2", "-g"]);
    assert_eq!(finding(&weighing, "D02")["holder"], "repeat");
    let nodes = finding(&weighing, "C02");
    let site = nodes["site"].as_str().unwrap();
    assert!(site.starts_with("make_node, tree.cpp:"), "{site}");
}

/// The holders of what a pool would save, which is a place of many blocks each.
fn pooled(weighing: &Value) -> Vec<&str> {
    let options = weighing["options"].as_array().unwrap();
    let holders = options.iter().filter(|option| option["rule"] == "A01");
    let mut holders: Vec<&str> = holders.map(|option| option["holder"].as_str().unwrap()).collect();
    holders.sort_unstable();
    holders
}

#[test]
fn types_are_known_by_the_functions_on_the_way_to_the_allocator() {
    for flags in [&["-O2", "-g", "-std=c++17"], &["-O0", "-g0", "-std=c++17"]] {
        let weighing = weighed_of("types.cpp", flags, 0).weighing;
        let holders = pooled(&weighing);
        for holder in [
            "Item in fill",
            "Order",
            "plain",
            "std::pair<long const, Item> (40 bytes)",
            "std::pair<long const, Item> (64 bytes)",
        ] {
            assert!(holders.contains(&holder), "{holder} {flags:?} {holders:#?}");
        }
    }
}

/// Where blocks of so many bytes are held.
fn held_at(weighing: &Value, bytes: u64) -> Vec<&str> {
    let holdings = weighing["holdings"]["places"].as_array().unwrap().iter();
    let of_size = holdings.filter(|place| place["bytes"] == 200 * bytes);
    of_size.map(|place| place["holder"].as_str().unwrap()).collect()
}

#[test]
fn fields_are_named_by_debug_information() {
    // Version 4 has types in another form.
    for version in ["-gdwarf-5", "-gdwarf-4"] {
        let weighing = weighed_of("fields.cpp", &["-O2", version, "-std=c++17"], 0).weighing;
        let places = &weighing["holdings"];
        for (bytes, holder) in [
            (320, "shop::Customer.name"),
            (320, "shop::Customer.links.next"),
            (416, "shop::Customer.notes"),
            (416, "shop::Customer.picture"),
            (320, "shop::Lines<(unsigned long)3>.raw[]"),
            (320, "std::pair<long const, shop::Price>.second.tag"),
        ] {
            let held = held_at(&weighing, bytes);
            assert!(held.contains(&holder), "{holder} {version} {places:#}");
        }
        let texts = weighing["findings"].as_array().unwrap().iter();
        let mut texts = texts.filter(|finding| {
            finding["site"]
                .as_str()
                .is_some_and(|site| site.starts_with("text<1>"))
        });
        let held_in = &texts.next().unwrap()["evidence"]["held_in"][0];
        assert_eq!(
            (&held_in["field"], &held_in["count"]),
            (&"shop::Customer.name".into(), &200.into())
        );
        let numbers = held_at(&weighing, 320);
        assert!(
            numbers.contains(&"text<6>"),
            "a number is no reference: {places:#}"
        );
    }
    let weighing = weighed_of("fields.cpp", &["-O2", "-g0", "-std=c++17"], 0).weighing;
    let named = weighing["holdings"]["places"].as_array().unwrap().iter();
    let named: Vec<&Value> = named.map(|place| &place["holder"]).collect();
    assert!(
        !named.contains(&&Value::from("shop::Customer.name")),
        "{named:#?}"
    );
}

#[test]
fn slots_have_the_names_of_their_fields() {
    let weighing = weighed_of("tree.cpp", &["-std=c++17", "-O2", "-g"], 5).weighing;
    let nodes = finding(&weighing, "C02");
    let parts = nodes["evidence"]["parts"].as_array().unwrap();
    let fields: Vec<&Value> = parts.iter().map(|part| &part["field"]).collect();
    assert_eq!(fields, ["hashes[]", "children[]"]);
    let fix = nodes["fix"].as_str().unwrap();
    assert!(fix.ends_with(", for hashes[] and children[]"), "{fix}");
}

/// Compiles a Rust program, runs it under the recorder and reads the report.
fn weighed_rust(source: &str) -> Value {
    let home = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let program = home.path().join("program");
    let done = std::process::Command::new("rustc")
        .args([
            "-g",
            "-Copt-level=2",
            "-Csymbol-mangling-version=v0",
            "--edition=2024",
            "-o",
        ])
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    record(&program, home.path(), 0, &[]).weighing
}

#[test]
fn fields_of_rust_are_named_too() {
    let weighing = weighed_rust("fields.rs");
    let places = weighing["holdings"]["places"].as_array().unwrap();
    for (holder, count) in [
        ("fields::Order.note", 400),
        ("fields::Order.next", 200),
        ("fields::Order.price", 200),
    ] {
        let place = places.iter().find(|place| place["holder"] == holder);
        assert_eq!(
            place.map(|place| &place["count"]),
            Some(&count.into()),
            "{holder} {places:#?}"
        );
    }
}

#[test]
fn types_of_rust_are_known_by_names_that_have_them() {
    let weighing = weighed_rust("types.rs");
    let holders = pooled(&weighing);
    for holder in ["Order (48 bytes)", "Order (64 bytes)", "Order in types::list"] {
        let holder = format!("types::{holder}");
        assert!(holders.contains(&holder.as_str()), "{holder} {holders:#?}");
    }
    assert!(holders.contains(&"types::text"), "{holders:#?}");
}

#[test]
fn a_static_program_is_reported() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("tree.cpp", &["-O2", "-static"], home.path());
    let output = deadweight()
        .current_dir(home.path())
        .args(["run", "--"])
        .arg(program)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(message.contains("linked statically"), "{message}");
}

#[test]
fn another_recorder_that_is_not_there_is_an_error() {
    let mut command = deadweight();
    command.env("DEADWEIGHT_RECORDER", "/nowhere/recorder.so");
    let output = command.args(["run", "--", "cat"]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("DEADWEIGHT_RECORDER=FILE") && message.contains("/nowhere/recorder.so"),
        "{message}"
    );
}

#[test]
fn what_cpython_keeps_to_itself_is_not_weighed() {
    let python = Path::new("/usr/bin/python3");
    if !python.exists() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let run = |setting: &str, runtime: &str| {
        let mut command = deadweight();
        command.current_dir(home.path()).env("PYTHONMALLOC", setting);
        command
            .args(["run", "--runtime", runtime, "--"])
            .arg(python)
            // Without the site's modules, the recorder for Python is not loaded.
            .args(["-S", "-c", "print('out')"]);
        let output = command.output().unwrap();
        assert_eq!(
            (output.status.code(), &output.stdout[..]),
            (Some(0), &b"out\n"[..])
        );
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let message = run("default", "native");
    assert!(
        message.contains("CPython") && message.contains("PYTHONMALLOC=malloc") && !message.contains("held"),
        "{message}"
    );
    let message = run("malloc", "native");
    assert!(
        message.contains("held") && !message.contains("CPython"),
        "{message}"
    );
}
