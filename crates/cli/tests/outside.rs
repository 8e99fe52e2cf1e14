//! Programs weighed from outside: running ones, and core files.

mod preload;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use deadweight_capture::outside::{OutsideError, picture};
use deadweight_formats::native::Dump;
use deadweight_formats::{ReadError, Sidecar, open};
use preload::{compile, deadweight};

/// A program that waits, and is ended with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// What the program says of itself.
struct Said {
    used: u64,
    taken: u64,
    /// Usable bytes by address.
    live: BTreeMap<u64, u64>,
}

fn said(from: impl std::io::Read) -> Said {
    let mut lines = BufReader::new(from).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    let (used, taken) = first.split_once(' ').unwrap();
    let live = lines.take_while(|line| line != "end").map(|line| {
        let (address, usable) = line.split_once(' ').unwrap();
        (u64::from_str_radix(address, 16).unwrap(), usable.parse().unwrap())
    });
    Said {
        used: used.parse().unwrap(),
        taken: taken.parse().unwrap(),
        live: live.collect(),
    }
}

fn start(command: &mut Command) -> (Running, Said) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let said = said(child.stdout.take().unwrap());
    (Running(child), said)
}

/// Holds what was found against what the program said.
fn agrees(dump: &Dump, said: &Said) {
    let number = |name: &str| dump.facts().number(name).unwrap();
    assert_eq!(dump.facts().get("incomplete"), None);
    assert_eq!(
        number("glibc_used_bytes") + number("glibc_mapped_bytes"),
        said.used
    );
    assert_eq!(
        number("glibc_arena_bytes") + number("glibc_mapped_bytes"),
        said.taken
    );
    let found: BTreeMap<u64, u64> = dump
        .blocks()
        .iter()
        .map(|block| (block.address, block.requested))
        .collect();
    for (address, usable) in &said.live {
        assert_eq!(found.get(address), Some(usable), "the block at 0x{address:x}");
    }
    // The program's own lists, its threads, and what the libraries took for themselves.
    let others = found.len() - said.live.len();
    assert!(others < 60, "{others} blocks are not known to the program");
    // Every byte that glibc counts as used is a live block, or glibc's own.
    let live: u64 = dump
        .blocks()
        .iter()
        .map(|block| block.requested + if block.requested % 16 == 0 { 16 } else { 8 })
        .sum();
    let accounted = live + number("glibc_cached_bytes") + number("glibc_own_bytes");
    // Heads of arenas, ends of heaps, and what an aligned block skips at the beginning of its mapping.
    let rest = said.used - accounted;
    let heads = number("glibc_arenas") * 4096 + 6 * 8192;
    assert!(rest <= heads, "{rest} bytes in nothing that was found");
}

#[test]
fn a_running_program_is_seen_as_it_sees_itself_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("churn.cpp", &["-O1", "-s", "-pthread"], home.path());
    let (running, said) = start(&mut Command::new(&program));
    assert!(said.live.len() > 10_000);
    let pid = running.0.id();
    let state = || fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let taken = picture(pid).unwrap();
    assert!(
        state().contains("TracerPid:\t0") && !state().contains("State:\tt"),
        "{}",
        state()
    );
    assert!(taken.pause < Duration::from_secs(5));
    agrees(&Dump::read(&taken.path()).unwrap(), &said);

    // Types stay in a stripped program; a rule without its input says so.
    let output = deadweight()
        .args(["weigh", "--format", "json", "--all", "--pid", &pid.to_string()])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && message.contains("stood still"),
        "{message}"
    );
    let weighing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(weighing["process"]["heap_used"], said.used);
    assert!(
        weighing["source"]["path"]
            .as_str()
            .unwrap()
            .contains(&pid.to_string())
    );
    let blind = weighing["not_measured"].as_array().unwrap();
    let overhead = blind.iter().find(|blind| blind["rule"] == "A01").unwrap();
    assert!(
        overhead["how"].as_str().unwrap().starts_with("deadweight run"),
        "{overhead}"
    );
}

#[test]
fn a_stopped_program_stays_stopped() {
    let running = Running(Command::new("sleep").arg("60").spawn().unwrap());
    let pid = running.0.id();
    let state = |wanted: &str| {
        let path = format!("/proc/{pid}/stat");
        (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            fs::read_to_string(&path).unwrap().contains(wanted)
        })
    };
    Command::new("kill")
        .args(["-STOP", &pid.to_string()])
        .status()
        .unwrap();
    assert!(state(") T "));
    picture(pid).unwrap();
    assert!(state(") T "));
    Command::new("kill")
        .args(["-CONT", &pid.to_string()])
        .status()
        .unwrap();
    assert!(state(") S "));
}

#[test]
fn the_recorder_and_a_walk_see_the_same_blocks() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("churn.cpp", &["-O1", "-pthread"], home.path());
    let mut command = Command::new(deadweight().get_program());
    command
        .env(
            "DEADWEIGHT_RECORDER",
            deadweight()
                .get_envs()
                .find_map(|(name, value)| value.filter(|_| name == "DEADWEIGHT_RECORDER"))
                .unwrap(),
        )
        .args(["run", "--when", "SIGUSR2", "--dir"])
        .arg(home.path().join("dumps"))
        .arg("--")
        .arg(&program)
        .stderr(Stdio::null());
    let (tool, said) = start(&mut command);
    let children = format!("/proc/{0}/task/{0}/children", tool.0.id());
    let pid: u32 = fs::read_to_string(children).unwrap().trim().parse().unwrap();
    let taken = picture(pid).unwrap();
    let walked = Dump::read(&taken.path()).unwrap();
    Command::new("kill")
        .args(["-USR2", &pid.to_string()])
        .status()
        .unwrap();
    let recorded = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let files = fs::read_dir(home.path().join("dumps")).ok()?;
        files.flatten().map(|file| file.path()).find(|path| {
            path.to_string_lossy().ends_with(".dwheap")
                && !path.file_name().unwrap().to_string_lossy().starts_with('.')
        })
    });
    let recorded = Dump::read(&recorded.expect("a dump")).unwrap();
    Command::new("kill").arg(pid.to_string()).status().unwrap();
    let usable = |dump: &Dump| -> BTreeMap<u64, u64> {
        dump.blocks()
            .iter()
            .map(|block| (block.address, block.usable().unwrap()))
            .collect()
    };
    let (walked, recorded) = (usable(&walked), usable(&recorded));
    assert!(recorded.len() >= said.live.len());
    for (address, usable) in &recorded {
        assert_eq!(walked.get(address), Some(usable), "the block at 0x{address:x}");
    }
    // The linker's tables of threads and the like are made without malloc's front door.
    let others = walked.len() - recorded.len();
    assert!(others < 30, "{others} blocks are not recorded");
}

fn core_of(program: &Path, home: &Path) -> Option<(PathBuf, Said)> {
    let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    // Elsewhere the kernel gives core files to a program.
    if pattern.trim() != "core" {
        return None;
    }
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            "ulimit -c unlimited; exec \"$0\" abort",
            &program.to_string_lossy(),
        ])
        .current_dir(home);
    let output = command.output().unwrap();
    let said = said(&output.stdout[..]);
    let files = fs::read_dir(home).unwrap().flatten().map(|file| file.path());
    let core = files
        .into_iter()
        .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("core"))?;
    Some((core, said))
}

#[test]
fn core_files_of_the_kernel_and_of_a_debugger_show_the_same() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("churn.cpp", &["-O1", "-g", "-pthread"], home.path());
    if let Some((core, said)) = core_of(&program, home.path()) {
        agrees(&Dump::read(&core).unwrap(), &said);
        let types = open(&core, &Sidecar::default()).unwrap().heap;
        let circles = types
            .rows()
            .filter(|&row| types.types.name(types.objects.label[row as usize]) == "Circle");
        assert_eq!(circles.count(), 1000);
        // Cut anywhere, it is one error that says where.
        let bytes = fs::read(&core).unwrap();
        for len in [10, 64, 1000, bytes.len() / 2, bytes.len() - 1] {
            fs::write(home.path().join("cut"), &bytes[..len]).unwrap();
            let error = Dump::read(&home.path().join("cut")).unwrap_err();
            assert!(error.to_string().contains("at byte"), "{error}");
        }
    }
    if Path::new("/usr/bin/gcore").exists() {
        let (running, said) = start(&mut Command::new(&program));
        let to = home.path().join("picture");
        let made = Command::new("gcore")
            .arg("-o")
            .arg(&to)
            .arg(running.0.id().to_string())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        agrees(
            &Dump::read(&to.with_extension(running.0.id().to_string())).unwrap(),
            &said,
        );
    }
}

#[test]
fn a_static_program_is_seen_too() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("churn.cpp", &["-O1", "-static", "-pthread"], home.path());
    let (running, said) = start(&mut Command::new(&program));
    agrees(
        &Dump::read(&picture(running.0.id()).unwrap().path()).unwrap(),
        &said,
    );
}

#[test]
fn what_cannot_be_walked_is_reported() {
    let refusal = |command: &mut Command| {
        let running = Running(command.stdout(Stdio::null()).spawn().unwrap());
        // Until the program is itself.
        std::thread::sleep(Duration::from_millis(500));
        let pid = running.0.id().to_string();
        let output = deadweight().args(["weigh", "--pid", &pid]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{message}"
        );
        message
    };
    let python = Path::new("/usr/bin/python3");
    if python.exists() {
        let sleep = ["-c", "import time; time.sleep(60)"];
        let running = Running(
            Command::new(python)
                .args(sleep)
                .env("PYTHONMALLOC", "malloc")
                .spawn()
                .unwrap(),
        );
        std::thread::sleep(Duration::from_millis(500));
        assert!(
            Dump::read(&picture(running.0.id()).unwrap().path())
                .unwrap()
                .blocks()
                .len()
                > 1000
        );
    }
    let jemalloc = Path::new("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2");
    if jemalloc.exists() {
        assert!(refusal(Command::new("sleep").arg("60").env("LD_PRELOAD", jemalloc)).contains("jemalloc"));
    }
    let mut ended = Command::new("true").process_group(0).spawn().unwrap();
    ended.wait().unwrap();
    assert!(matches!(picture(ended.id()), Err(OutsideError::Process { .. })));
}

#[test]
fn no_damage_to_a_core_file_is_more_than_an_error() {
    let running = Running(Command::new("sleep").arg("60").spawn().unwrap());
    std::thread::sleep(Duration::from_millis(200));
    let taken = picture(running.0.id()).unwrap();
    let whole = fs::read(taken.path()).unwrap();
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("core");
    let mut state = 7_u64;
    let mut next = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for round in 0..600 {
        let mut bytes = whole.clone();
        // The head and the table of segments, or anything; a byte, or a word that is nearly an address or a size.
        let limit = if round % 2 == 0 { 2000 } else { bytes.len() - 8 };
        for _ in 0..=next(4) {
            let at = next(limit) & !7;
            match next(3) {
                0 => bytes[at + next(8)] ^= 1 << next(8),
                1 => bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes()),
                _ => {
                    let from = next(whole.len() / 8 - 1) * 8;
                    bytes[at..at + 8].copy_from_slice(&whole[from..from + 8]);
                }
            }
        }
        fs::write(&path, &bytes).unwrap();
        match open(&path, &Sidecar::default()) {
            Ok(_)
            | Err(
                ReadError::Malformed { .. } | ReadError::NotVisible { .. } | ReadError::UnknownFormat { .. },
            ) => {}
            Err(other) => panic!("{other}"),
        }
    }
}
