//! What real programs on a Java virtual machine make, against what the machine counts for the same thread.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

mod made;

use made::{Ran, near};

/// A line for each thing that is made, with what the machine says that it allocated meanwhile.
const KNOWN: &str = r#"package shop;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.stream.*;

public class Known {
    record Point(int x, long y) {}
    static final List<Object> KEPT = new ArrayList<>(4000);
    static final com.sun.management.ThreadMXBean BEAN = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    static volatile Object last;
    static long allocated() { return BEAN.getThreadAllocatedBytes(Thread.currentThread().getId()); }
    interface Way { void run(); }

    static void buffers() { for (int i = 0; i < 3000; i++) {
        last = new byte[1000];
    } }
    static void points() { for (int i = 0; i < 40000; i++) {
        last = new Point(i, i);
    } }
    static void texts() { for (int i = 0; i < 4000; i++) {
        last = "number " + i + " of " + i * 31;
    } }
    static void maps() { for (int i = 0; i < 2000; i++) {
        last = new HashMap<>(Map.of(i, "a", -i - 1, "b"));
    } }
    static void kept() { for (int i = 0; i < 4000; i++) {
        KEPT.add(new int[20]);
    } }
    static void lists() { for (int i = 0; i < 1000; i++) {
        last = IntStream.range(0, 30).boxed().toList();
    } }

    public static void main(String[] arguments) {
        Way[] ways = {Known::buffers, Known::points, Known::texts, Known::maps, Known::kept, Known::lists};
        int[] lines = {15, 18, 21, 24, 27, 30};
        long[] bytes = new long[ways.length];
        // What is loaded once is loaded before.
        allocated();
        long first = 0, all = 0;
        for (int at = 0; at < ways.length; at++) {
            long before = allocated();
            if (at == 0) first = before;
            ways[at].run();
            all = allocated();
            bytes[at] = all - before;
        }
        for (int at = 0; at < ways.length; at++) System.out.println(lines[at] + " " + bytes[at]);
    }
}
"#;

/// Runs a class of a project as Maven lays it out.
fn recorded(main: &str, source: &str, options: &[&str], flags: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let (sources, classes) = ("src/main/java/shop", "target/classes");
    fs::create_dir_all(home.path().join(sources)).unwrap();
    let file = format!("{sources}/{main}.java");
    fs::write(home.path().join(&file), source).unwrap();
    let mut javac = Command::new("javac");
    javac.args(["-J-XX:TieredStopAtLevel=1", "-d", classes, &file]);
    let status = javac.current_dir(home.path()).status();
    assert!(
        status
            .expect("these tests need a JDK of version 17 or later")
            .success()
    );
    let main = format!("shop.{main}");
    ran(home, options, &[flags, &["-cp", classes, &main]].concat())
}

/// Runs a program under the command.
fn ran(home: tempfile::TempDir, options: &[&str], java: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--dir", "captures"])
        .args(options)
        .args(["--", "java"])
        .args(java)
        .current_dir(home.path())
        .output()
        .unwrap();
    Ran::of(home, output)
}

/// Line, and the bytes that the machine counted there.
fn counted(ran: &Ran) -> Vec<(String, f64)> {
    let out = ran.out();
    let lines = out.lines().map(|line| line.split_once(' ').unwrap());
    lines
        .map(|(line, bytes)| {
            let place = format!("src/main/java/shop/Known.java:{line}");
            (place, bytes.parse().unwrap())
        })
        .collect()
}

#[test]
fn lines_make_what_the_machine_counts() {
    for flags in [&["-XX:+UseG1GC"][..], &["-XX:+UseSerialGC"], &["-XX:+UseZGC"]] {
        let ran = recorded("Known", KNOWN, &["--no-snapshot", "--churn=1"], flags);
        let counted = counted(&ran);
        assert_eq!(counted.len(), 6, "{}", ran.said());
        for (place, bytes) in counted {
            let made = ran.bytes(&place);
            assert!(near(made, bytes, 0.02), "{flags:?} {place}: {made} of {bytes}");
        }
        assert!(ran.churned()["sampling"].is_null(), "{}", ran.churned());
    }
}

#[test]
fn what_is_kept_is_counted_when_garbage_is_gone() {
    let ran = recorded("Known", KNOWN, &["--no-snapshot", "--churn=1"], &[]);
    let site = ran.site("src/main/java/shop/Known.java:27");
    let kept = site["kept_bytes"].as_f64().unwrap();
    assert!(near(kept, 4000.0 * 96.0, 0.001), "{site}");
    let thrown = ran.site("src/main/java/shop/Known.java:18");
    // Beside what the machine keeps of a class that is loaded there.
    assert!(thrown["kept_bytes"].as_f64().unwrap() < 2000.0, "{thrown}");
}

/// A sample each 4 kB is what the machine counts, within twice the bounds that hold 95 of 100.
#[test]
fn samples_stand_for_what_the_machine_counts() {
    let ran = recorded("Known", KNOWN, &["--no-snapshot", "--churn=4096"], &[]);
    for (place, bytes) in counted(&ran) {
        let site = ran.site(&place);
        let figure = |name: &str| site[name].as_f64().unwrap();
        let (made, margin) = (figure("bytes"), figure("high") - figure("bytes"));
        assert!(margin > 0.0 && margin < bytes, "{site}");
        assert!((made - bytes).abs() < 2.0 * margin, "{bytes}: {site}");
    }
}

const THREADS: &str = r"package shop;
public class Threads {
    static volatile Object last;
    static void task() {
        for (int i = 0; i < 100; i++) last = new int[98];
    }
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 3000; i++) {
            Thread thread = new Thread(Threads::task);
            thread.start();
            thread.join();
        }
    }
}
";

/// The machine draws the same distances for each of them.
#[test]
fn threads_that_follow_one_another_are_sampled_like_one() {
    let ran = recorded("Threads", THREADS, &["--no-snapshot", "--churn"], &[]);
    let site = ran.site("src/main/java/shop/Threads.java:5");
    let (bytes, high) = (site["bytes"].as_f64().unwrap(), site["high"].as_f64().unwrap());
    let truth = 3000.0 * 100.0 * 408.0;
    assert!((bytes - truth).abs() < 2.0 * (high - bytes), "{site}");
}

const WASTEFUL: &str = r#"package shop;
import java.util.*;
import java.util.stream.*;

public class Wasteful {
    static final List<String> LINES = new ArrayList<>();
    static long longer(int than) {
        return LINES.stream().filter(line -> line.length() > than).collect(Collectors.toList()).size();
    }
    static long fields(String line) {
        return line.split(",").length;
    }
    static boolean known(String name) {
        return Arrays.asList("alpha", "beta").contains(name);
    }
    static int packet(int i) {
        byte[] packet = new byte[2048];
        packet[0] = (byte) i;
        return packet[0];
    }
    public static void main(String[] arguments) {
        for (int i = 0; i < 5000; i++) LINES.add("name " + i + ",street,city");
        long sum = 0;
        for (int i = 0; i < 200; i++) sum += longer(i % 30);
        for (String line : LINES) sum += fields(line) + (known(line) ? 1 : 0) + packet(line.length());
        System.out.println(sum);
    }
}
"#;

/// The finding of a rule on a line.
fn finding<'r>(ran: &'r Ran, rule: &str, line: u32) -> &'r Value {
    let place = format!("src/main/java/shop/Wasteful.java:{line}");
    let findings = ran.churned()["findings"].as_array().unwrap();
    let mut of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
    let found = of_rule.find(|finding| finding["site"] == place.as_str());
    found.unwrap_or_else(|| panic!("{rule} {place}: {findings:#?}"))
}

#[test]
fn waste_is_named_at_its_line_with_what_a_fix_saves() {
    // Interpreted, so that the compiler takes no object away.
    let options = ["--no-snapshot", "--churn=1"];
    let ran = recorded("Wasteful", WASTEFUL, &options, &["-Xint"]);
    let saves = |rule, line| finding(&ran, rule, line)["saves"].as_f64().unwrap();
    let fixed = WASTEFUL
        .replace(".collect(Collectors.toList()).size()", ".count()")
        .replace(
            "line.split(\",\").length",
            "1 + line.chars().filter(c -> c == ',').count()",
        );
    let after = recorded("Wasteful", &fixed, &options, &["-Xint"]);
    let made = |ran: &Ran, line: u32| ran.bytes(&format!("src/main/java/shop/Wasteful.java:{line}"));
    let dropped = made(&ran, 8) - made(&after, 8);
    assert!(
        near(saves("T03", 8), dropped, 0.05),
        "{} of {dropped}",
        saves("T03", 8)
    );
    // All that the line makes.
    assert!(near(saves("T03", 11), made(&ran, 11), 0.001));
    assert!(near(saves("T04", 14), 5000.0 * 48.0, 0.01));
    assert!(near(saves("T01", 17), 4999.0 * 2064.0, 0.001));
    let rewrite = ran.rewrite(finding(&ran, "T03", 8));
    assert!(rewrite["after"].to_string().contains(".count()"), "{rewrite}");
}

const MAIN: &str = r"package shop;
public class Main {
    static volatile Object last;
    public static void main(String[] arguments) {
        for (int i = 0; i < 2000; i++) {
            last = org.tools.Maker.make();
            last = new int[98];
        }
    }
}
";

const MAKER: &str = r"package org.tools;
public class Maker {
    public static Object make() {
        return new byte[1000];
    }
}
";

/// What a library makes is of the line that calls it, whether the library is a jar by itself or in that of the program.
#[test]
fn the_libraries_of_a_program_in_a_jar_are_no_lines_of_it() {
    for shaded in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        for (file, text) in [
            ("src/main/java/shop/Main.java", MAIN),
            ("vendor/org/tools/Maker.java", MAKER),
        ] {
            fs::create_dir_all(path(file).parent().unwrap()).unwrap();
            fs::write(path(file), text).unwrap();
        }
        let done = |program: &str, arguments: &[&str]| {
            let status = Command::new(program)
                .args(arguments)
                .current_dir(home.path())
                .status();
            assert!(
                status
                    .expect("these tests need a JDK of version 17 or later")
                    .success()
            );
        };
        let (main, maker) = ("src/main/java/shop/Main.java", "vendor/org/tools/Maker.java");
        done(
            "javac",
            &["-J-XX:TieredStopAtLevel=1", "-d", "classes", main, maker],
        );
        fs::write(path("manifest"), "Main-Class: shop.Main\nClass-Path: tools.jar\n").unwrap();
        fs::create_dir(path("target")).unwrap();
        let app = [
            "--create",
            "--file",
            "target/app.jar",
            "--manifest",
            "manifest",
            "-C",
            "classes",
        ];
        done("jar", &[&app[..], &[if shaded { "." } else { "shop" }]].concat());
        if !shaded {
            let tools = ["--create", "--file", "target/tools.jar", "-C", "classes", "org"];
            done("jar", &tools);
        }
        let ran = ran(home, &["--no-snapshot", "--churn=1"], &["-jar", "target/app.jar"]);
        let site = |line: u32| ran.bytes(&format!("{main}:{line}"));
        assert!(near(site(6), 2000.0 * 1016.0, 0.02), "{shaded}");
        assert!(near(site(7), 2000.0 * 408.0, 0.02), "{shaded}");
    }
}

#[test]
fn a_heap_and_what_was_made_are_one_capture() {
    let ran = recorded("Known", KNOWN, &["--churn"], &[]);
    let [weighing] = &ran.weighings[..] else {
        panic!("{}", ran.said());
    };
    assert!(weighing["held"]["bytes"].as_u64().unwrap() > 384_000);
    assert!(ran.churned()["bytes"].as_u64().unwrap() > 2_000_000);
    let [record] = &ran.records()[..] else {
        panic!("{}", ran.said());
    };
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(record).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert!(
        fs::read_dir(record.parent().unwrap_or(Path::new(".")))
            .unwrap()
            .count()
            > 3
    );
}
