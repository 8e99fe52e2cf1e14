//! Real programs under the recorder: every block, with its size and its stack.

mod host;

use host::{bytes, compile, find, hex};

fn check_listed(run: &host::Run, code: i32) {
    assert_eq!(run.output.status.code(), Some(code), "{:?}", run.output);
    let dump = run.dump();
    assert!(run.lines().len() > 5);
    for line in run.lines() {
        let [name, address, size, usable] = line[..] else {
            panic!("{line:?}")
        };
        let found = find(dump, hex(address));
        if name == "freed" {
            assert_eq!(found, None, "{name}");
            continue;
        }
        let block = dump.blocks()[found.unwrap_or_else(|| panic!("{name} is missing"))];
        assert_eq!(block.requested.to_string(), size, "{name}");
        assert_eq!(block.usable().unwrap().to_string(), usable, "{name}");
        assert!(dump.frames(block.stack).count() >= 2, "{name}");
    }
}

#[test]
fn every_function_of_c() {
    check_listed(&compile("functions.c", &[]).run(&[], &[]), 7);
}

#[test]
fn every_operator_of_cpp() {
    check_listed(&compile("operators.cpp", &["-std=c++17"]).run(&[], &[]), 0);
}

#[test]
fn other_allocators_are_recorded_and_named() {
    let program = compile("functions.c", &[]);
    for (name, file) in [
        ("jemalloc", "libjemalloc.so.2"),
        ("tcmalloc", "libtcmalloc_minimal.so.4"),
        ("mimalloc", "libmimalloc.so.2.0"),
    ] {
        let run = program.run_with(&[], &[], file);
        check_listed(&run, 7);
        let facts = run.dump().facts();
        assert_eq!(facts.text("allocator"), Some(name), "is {file} installed?");
        assert!(!facts.text("allocator_version").unwrap().is_empty());
    }
}

/// The C library's own unwinder is the measure, through functions with fixed, variable, framed and realigned stacks.
#[test]
fn stacks_are_exact() {
    for flags in [&[][..], &["-fno-omit-frame-pointer"], &["-O0"]] {
        let run = compile("stacks.c", flags).run(&[], &[("DEADWEIGHT_DEPTH", "32")]);
        assert_eq!(run.output.status.code(), Some(0));
        let dump = run.dump();
        assert!(run.lines().len() > 1800);
        for line in run.lines() {
            let block = dump.blocks()[find(dump, hex(line[0])).unwrap()];
            let frames: Vec<u64> = dump.frames(block.stack).collect();
            let expected: Vec<u64> = line[1..].iter().map(|address| hex(address)).collect();
            // The innermost differs: both are calls of the same function, at two places.
            let compared = frames.len().min(32) - 1;
            assert!(
                frames.len() == 32 || frames.len() > expected.len(),
                "{frames:x?} {expected:x?}"
            );
            assert_eq!(
                frames[1..=expected.len().min(compared)],
                expected[..expected.len().min(compared)]
            );
        }
    }
}

#[test]
fn threads_lose_no_block() {
    let program = compile("threads.c", &[]);
    let run = program.run(
        &[&std::env::var("DEADWEIGHT_TEST_MS").unwrap_or("1500".to_owned())],
        // What the program prints is what it holds at its end.
        &[("DEADWEIGHT_WHEN", "exit")],
    );
    assert_eq!(run.output.status.code(), Some(0));
    let dump = run.dump();
    assert!(run.lines().len() > 20_000);
    for line in run.lines() {
        let block = dump.blocks()[find(dump, hex(line[0])).expect("a block was lost")];
        assert!(line[1] == "0" || block.requested.to_string() == line[1]);
    }
    // And none that was freed is left over: what the C library and the threads themselves hold is little.
    assert!(
        dump.blocks().len() - run.lines().len() < 200,
        "{}",
        dump.blocks().len()
    );
    assert_eq!(dump.facts().number("lost_blocks"), Some(0));
}

#[test]
fn a_thread_may_first_allocate_where_the_c_library_holds_a_lock() {
    let run = compile("first.c", &[]).run(&[], &[]);
    assert_eq!(run.output.status.code(), Some(0), "it hung");
    let dump = run.dump();
    let lines = run.lines();
    assert_eq!(lines.len(), 8);
    for line in lines {
        let block = dump.blocks()[find(dump, hex(line[0])).expect("a block was lost")];
        // The function, what called it, and the C library that began the thread.
        let frames = dump.frames(block.stack).count();
        assert!(frames >= 3, "{frames} of {line:?}");
    }
}

#[test]
fn contents_and_untouched_pages() {
    let run = compile("life.c", &[]).run(&["contents"], &[]);
    let dump = run.dump();
    let lines = run.lines();
    let [secret, same, large] = lines[1][..] else {
        panic!()
    };
    let secret = bytes(dump, find(dump, hex(secret)).unwrap());
    assert_eq!(&secret[1000..1023], b"a very well kept secret");
    assert_eq!(secret, bytes(dump, find(dump, hex(same)).unwrap()));
    let large = find(dump, hex(large)).unwrap();
    let stored: u64 = dump
        .content(large)
        .unwrap()
        .map(|piece| match piece {
            deadweight_formats::native::Piece::Bytes(bytes) => bytes.len() as u64,
            deadweight_formats::native::Piece::Untouched(_) => 0,
        })
        .sum();
    assert!(
        stored < 4 << 20,
        "{stored} bytes of a block with one page touched"
    );
    let large = bytes(dump, large);
    assert_eq!(large.len(), 64 << 20);
    assert_eq!(large.iter().position(|byte| *byte != 0), Some(5 << 20));
}

#[test]
fn without_contents_nothing_of_them_is_in_the_file() {
    let run = compile("life.c", &[]).run(&["contents"], &[("DEADWEIGHT_CONTENT", "0")]);
    let dump = run.dump();
    let lines = run.lines();
    let [secret, same, large] = lines[1][..] else {
        panic!()
    };
    let [secret, same, large] = [secret, same, large].map(|address| find(dump, hex(address)).unwrap());
    assert!(dump.content(secret).is_none());
    assert_eq!(dump.content_hash(secret), dump.content_hash(same));
    assert_ne!(dump.content_hash(secret), dump.content_hash(large));
    let map = dump.zero_map(secret).unwrap();
    let words: Vec<usize> = (0..512)
        .filter(|word| map[word / 8] >> (word % 8) & 1 == 1)
        .collect();
    assert_eq!(words, [125, 126, 127]);
    let map = dump.zero_map(large).unwrap();
    assert_eq!(map.iter().map(|byte| byte.count_ones()).sum::<u32>(), 1);
    assert_eq!(map[(5 << 20) / 64], 1);
}

#[test]
fn zero_fill_clears_what_the_program_never_touched() {
    let program = compile("life.c", &[]);
    let read = |settings: &[(&str, &str)]| {
        let run = program.run(&["churn"], settings);
        let dump = run.dump();
        let lines = run.lines();
        let [fresh, grown] = lines[1][..] else { panic!() };
        [fresh, grown].map(|address| bytes(dump, find(dump, hex(address)).unwrap()))
    };
    let [fresh, grown] = read(&[("DEADWEIGHT_ZERO_FILL", "1")]);
    assert!(fresh[0] == 6 && fresh[1..].iter().all(|byte| *byte == 0));
    assert!(grown[..100].iter().all(|byte| *byte == 7) && grown[100..].iter().all(|byte| *byte == 0));
    let [fresh, _] = read(&[]);
    assert!(fresh[100..].contains(&5), "without it, old bytes are left");
}
