//! Dumps of a real JVM beside its own class histogram: sizes, and what each fix saves. Without a JDK they fail and say
//! so.

#[path = "jvm_live/jdk.rs"]
mod jdk;

use std::collections::BTreeMap;
use std::path::Path;

use deadweight_heap::{Flags, Heap, Kind};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::Source;

use self::jdk::{Jdk, histogram, read, total};

/// Options of the JVM with layouts of their own.
const LAYOUTS: [&[&str]; 6] = [
    &["-XX:+UseSerialGC"],
    &["-XX:+UseParallelGC", "-XX:-UseCompressedOops"],
    &["-XX:+UseSerialGC", "-XX:-UseCompressedClassPointers"],
    &[
        "-XX:+UseSerialGC",
        "-XX:-UseCompressedOops",
        "-XX:-UseCompressedClassPointers",
    ],
    &["-XX:+UseSerialGC", "-XX:ObjectAlignmentInBytes=16"],
    &[ZGC],
];

const ZGC: &str = "-XX:+UseZGC";

/// The classes that are made at random.
const MADE: &str = "150";

/// The same of a heap that was read.
fn weighed(heap: &Heap) -> BTreeMap<String, (u64, u64)> {
    let mut all: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in heap.rows().filter(|&row| heap.bytes(row) > 0) {
        let is_class = matches!(heap.kind(row), Kind::Runtime | Kind::Closure)
            && heap.blocks.stored(row).is_none()
            && !heap.objects.has(row, Flags::PART);
        let name = match heap.kind(row) {
            _ if is_class => "java.lang.Class".to_owned(),
            Kind::String => "java.lang.String".to_owned(),
            _ => signature(heap.types.name(heap.objects.label[row as usize])),
        };
        let of_class = all.entry(name).or_default();
        *of_class = (of_class.0 + 1, of_class.1 + heap.bytes(row));
    }
    all
}

/// A name as the histogram has it.
fn signature(name: &str) -> String {
    let element = name.trim_end_matches("[]");
    let dimensions = (name.len() - element.len()) / 2;
    if dimensions == 0 {
        return name.to_owned();
    }
    let element = match element {
        "boolean" => "Z".to_owned(),
        "byte" => "B".to_owned(),
        "char" => "C".to_owned(),
        "short" => "S".to_owned(),
        "int" => "I".to_owned(),
        "long" => "J".to_owned(),
        "float" => "F".to_owned(),
        "double" => "D".to_owned(),
        class => format!("L{class};"),
    };
    format!("{}{element}", "[".repeat(dimensions))
}

/// The dump `name.hprof` that a class of `Layouts.java` writes, and its histogram beside it.
fn dump(jdk: &Jdk, directory: &Path, options: &[&str], class: &str, name: &str) -> Heap {
    let arguments = [options, &["-cp", ".", class, name]].concat();
    jdk.run("java", directory, &arguments);
    read(&directory.join(format!("{name}.hprof")))
}

#[test]
fn classes_made_at_random_are_as_large_as_the_jvm_says() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Layouts.java"]);
        let source = jdk.run("java", directory, &["-cp", ".", "MakeLayouts", MADE, "7"]);
        std::fs::write(directory.join("Made.java"), source).unwrap();
        jdk.run("javac", directory, &["-d", ".", "Made.java"]);
        for (number, options) in LAYOUTS.iter().enumerate() {
            let name = format!("dump{number}");
            let mut arguments = options.to_vec();
            arguments.extend(["-Xmx256m", "-cp", ".", "Layouts", &name, MADE]);
            jdk.run("java", directory, &arguments);
            let heap = read(&directory.join(format!("{name}.hprof")));
            assert_eq!(heap.partial, None, "{options:?}");
            // ZGC leaves gaps between the objects of a small heap, and the reader then says that it estimates.
            let estimated = heap.layout.estimated();
            assert!(
                estimated.is_none_or(|why| why.contains("assumed") && options.contains(&ZGC)),
                "{options:?}: {}",
                heap.runtime.allocator
            );
            let said = histogram(&directory.join(format!("{name}.txt")));
            let found = weighed(&heap);
            for class in 0..MADE.parse().unwrap() {
                let class = format!("Made{class}");
                assert_eq!(found.get(&class), said.get(&class), "{options:?}: {class}");
            }
            // A string is charged with its characters.
            let is_text = |class: &str| matches!(class, "java.lang.String" | "[B");
            let texts = |of: &BTreeMap<String, (u64, u64)>| -> u64 {
                let texts = of.iter().filter(|(class, _)| is_text(class));
                texts.map(|(_, (_, bytes))| bytes).sum()
            };
            assert!(
                texts(&found).abs_diff(texts(&said)) < texts(&said) / 100,
                "{options:?}"
            );
            // Sizes of the library's own classes are told by distances, which an estimate lacks.
            if estimated.is_some() {
                continue;
            }
            let share = total(&said) / 100;
            let large = said
                .iter()
                .filter(|(class, (_, bytes))| *bytes > share && !is_text(class));
            for (class, (count, bytes)) in large {
                let weighed = found.get(class).copied().unwrap_or_default();
                // The size of what stands for a class is no part of a dump.
                let may_differ = if class == "java.lang.Class" {
                    bytes / 1000
                } else {
                    0
                };
                if weighed.0 == *count {
                    assert!(
                        weighed.1.abs_diff(*bytes) <= may_differ,
                        "{options:?}: {class}: {} of {bytes}",
                        weighed.1
                    );
                }
            }
        }
    }
}

/// Collectors that move nothing leave gaps, which are no part of what stands before them.
#[test]
fn gaps_between_objects_make_none_larger() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Layouts.java"]);
        for (name, collector) in [("serial", "-XX:+UseSerialGC"), ("zgc", ZGC)] {
            let heap = dump(&jdk, directory, &[collector, "-Xmx256m"], "Gaps", name);
            let said = histogram(&directory.join(format!("{name}.txt")));
            let found = weighed(&heap);
            for class in ["java.lang.Long", "java.lang.NumberFormatException"] {
                assert_eq!(found.get(class), said.get(class), "{collector}: {class}");
            }
        }
    }
}

#[test]
fn where_something_was_thrown_is_a_piece_of_it() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Layouts.java"]);
        let heap = dump(&jdk, directory, &["-XX:+UseSerialGC"], "Gaps", "gaps");
        let is_thrown = |&row: &u32| {
            let name = heap.types.name(heap.objects.label[row as usize]);
            name == "java.lang.NumberFormatException" && !heap.objects.has(row, Flags::PART)
        };
        // The array of the machine, and what it notes in it: methods, places, classes, names.
        let has_pieces = |row: &u32| heap.parts_of(*row).len() >= 4;
        let thrown = heap.rows().filter(is_thrown);
        // The machine has one or two of its own that were never thrown.
        let (with, without): (Vec<u32>, Vec<u32>) = thrown.partition(has_pieces);
        let (with, without) = (with.len(), without.len());
        assert!(with >= 500 && without < 5, "{with} {without}");
    }
}

#[test]
fn what_library_and_program_reach_is_whose_way_is_shorter() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Layouts.java"]);
        let heap = dump(&jdk, directory, &["-XX:+UseSerialGC"], "Registered", "registered");
        let of_program = |wanted: &str| {
            let rows = heap.rows().filter(|&row| {
                heap.types.name(heap.objects.label[row as usize]) == wanted && heap.kind(row) == Kind::Record
            });
            let (program, library): (Vec<u32>, Vec<u32>) = rows.partition(|&row| heap.in_program(row));
            (program.len(), library.len())
        };
        let (lines, others) = of_program("java.math.BigDecimal");
        assert!(lines >= 5_000 && others < 50, "{lines} {others}");
        let (locales, others) = of_program("java.util.Locale");
        assert!(locales == 0 && others > 0, "{locales} {others}");
    }
}

#[test]
fn each_fix_saves_what_was_predicted() {
    const RULES: [&str; 8] = ["D01", "C01", "C03", "C04", "D02", "D03", "E01", "L03"];
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Proofs.java"]);
        let run = |name: &str, mended: &[&str]| {
            let mut arguments = vec!["-XX:+UseSerialGC", "-Xmx512m", "-cp", ".", "Proofs", name];
            arguments.extend(mended);
            jdk.run("java", directory, &arguments);
            let dump = directory.join(format!("{name}.hprof"));
            (total(&histogram(&directory.join(format!("{name}.txt")))), dump)
        };
        let (before, dump) = run("before", &[]);
        let heap = read(&dump);
        assert!(
            heap.held_bytes().abs_diff(before) < before / 500,
            "{} of {before}",
            heap.held_bytes()
        );
        let weighing = weigh(&heap, source(), &Options::default());
        for rule in RULES {
            let findings = weighing.findings.iter().filter(|finding| finding.rule == rule);
            let predicted: i64 = findings.map(|finding| finding.saves_alone.cast_signed()).sum();
            let (after, dump) = run(rule, &[rule]);
            let saved = before.cast_signed() - after.cast_signed();
            std::fs::remove_file(dump).unwrap();
            let limit = predicted / 100 + 2048;
            assert!(
                predicted > 100_000 && (predicted - saved).abs() <= limit,
                "{rule}: predicted {predicted}, saved {saved}"
            );
        }
    }
}

#[test]
fn equal_values_of_the_library_could_be_one() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Values.java", "Layouts.java"]);
        let heap = dump(&jdk, directory, &["-XX:+UseSerialGC"], "Values", "values");
        let weighing = weigh(&heap, source(), &Options::default());
        let found = weighing.findings.iter().filter(|finding| finding.rule == "D03");
        let found: BTreeMap<&str, i64> = found
            .map(|finding| (finding.holder.as_str(), finding.saves_alone.cast_signed()))
            .collect();
        let mut places: Vec<&str> = found.keys().copied().collect();
        places.sort_unstable();
        assert_eq!(
            places,
            [
                "Values$Row.bits",
                "Values$Row.changed",
                "Values$Row.file",
                "Values$Row.host",
                "Values$Row.pair",
                "Values$Row.path",
                "Values$Row.pattern",
                "Values$Row.uri"
            ]
        );
        let before = total(&histogram(&directory.join("values.txt"))).cast_signed();
        jdk.run(
            "java",
            directory,
            &["-XX:+UseSerialGC", "-cp", ".", "Values", "shared", "shared"],
        );
        let after = total(&histogram(&directory.join("shared.txt"))).cast_signed();
        let (predicted, saved) = (found.values().sum::<i64>(), before - after);
        assert!(
            (predicted - saved).abs() <= saved / 50,
            "predicted {predicted}, saved {saved}"
        );
    }
}

#[test]
fn threads_that_run_one_method_are_one_place() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Threads.java", "Layouts.java"]);
        let heap = dump(&jdk, directory, &["-XX:+UseSerialGC"], "Threads", "threads");
        let weighing = weigh(&heap, source(), &Options::default());
        let found = weighing.findings.iter().filter(|finding| finding.rule == "D01");
        let found: Vec<(&str, u64)> = found
            .map(|finding| (finding.holder.as_str(), finding.count))
            .collect();
        // Each of eight threads has a thousand texts of a hundred values.
        assert_eq!(found, [("(a local variable of Threads.work)[]", 7900)]);
    }
}

/// Of a program that wastes nothing, nothing is said.
#[test]
fn a_healthy_program_has_no_finding() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Proofs.java", "Healthy.java"]);
        let arguments = ["-XX:+UseG1GC", "-Xmx512m", "-cp", ".", "Healthy", "healthy"];
        jdk.run("java", directory, &arguments);
        let heap = read(&directory.join("healthy.hprof"));
        let counted = histogram(&directory.join("healthy.txt"));
        let (said, held) = (total(&counted), heap.held_bytes());
        // No dump has what stands for classes of the archive that the machine starts with and that were not used.
        let class = "java.lang.Class";
        let bytes = |of: &BTreeMap<String, (u64, u64)>| of.get(class).map_or(0, |(_, bytes)| *bytes);
        let unused = bytes(&counted).saturating_sub(bytes(&weighed(&heap)));
        assert!(held.abs_diff(said - unused) < said / 500, "{held} of {said}");
        let weighing = weigh(&heap, source(), &Options::default());
        let share = weighing.held.bytes / 100;
        let found = weighing.findings.iter().filter(|finding| finding.saves > share);
        let found: Vec<_> = found
            .map(|finding| (&finding.rule, &finding.holder, &finding.title, finding.saves))
            .collect();
        assert!(found.is_empty(), "{found:?} of {}", weighing.held.bytes);
    }
}

fn source() -> Source {
    Source {
        path: String::new(),
        bytes: 0,
        format: "jvm-hprof".to_owned(),
    }
}
