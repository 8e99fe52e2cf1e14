//! What the recorder for Ruby counts, against `memory_profiler` and the interpreter's own count.
//!
//! `memory_profiler` 0.9.14 is taken from Debian 12 into a temporary directory, which needs the network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PACKAGE: &str = "ruby-memory-profiler=0.9.14-4.1";

/// Lines, texts of all sizes, a hash, nested arrays, a copy that is changed.
const PROGRAM: &str = r#"TEXT = File.read(ARGV[1])
def work
  TEXT.lines.count
  list = (0...2_000).map { |i| "name #{i}" * (i % 9) }
  table = list.to_h { |name| [name, name.size] }
  table.map { |name, size| [name.upcase, size] }.flatten.size
  copy = TEXT.dup
  copy << 'x'
  nil
end
if ARGV[0] == 'profiler'
  require 'memory_profiler'
  report = MemoryProfiler.report { work }
  puts report.total_allocated, report.total_allocated_memsize
else
  before = GC.stat(:total_allocated_objects)
  work
  puts GC.stat(:total_allocated_objects) - before
end
"#;

/// The lines of `work`.
const WORK: std::ops::RangeInclusive<u32> = 2..=10;

fn ran(command: &mut Command) -> Vec<f64> {
    let out = command.output().unwrap();
    assert!(
        out.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

fn profiler(home: &Path) -> PathBuf {
    ran(Command::new("apt-get")
        .args(["download", PACKAGE])
        .current_dir(home));
    let mut files = fs::read_dir(home).unwrap().map(|entry| entry.unwrap().path());
    let package = files.find(|path| path.extension().is_some_and(|end| end == "deb"));
    ran(Command::new("dpkg")
        .arg("-x")
        .arg(package.unwrap())
        .arg(home.join("gem")));
    home.join("gem/usr/share/rubygems-integration/all/gems/memory_profiler-0.9.14/lib")
}

/// Objects and bytes that the lines of `work` made, as `deadweight run` has them.
fn ours(home: &Path, page: &str) -> (f64, f64) {
    let captures = home.join("captures");
    ran(Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--churn", "--no-snapshot", "--dir"])
        .arg(&captures)
        .args(["--", "ruby", "program.rb", "plain", page])
        .current_dir(home));
    let mut entries = fs::read_dir(&captures)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let capture = entries.find(|path| path.is_dir()).expect("a capture");
    let weighing: Value = serde_json::from_slice(&fs::read(capture.join("weighing.json")).unwrap()).unwrap();
    fs::remove_dir_all(captures).unwrap();
    let of_work = |site: &&Value| {
        let place = site["site"].as_str().unwrap().strip_prefix("program.rb:");
        place.is_some_and(|line| WORK.contains(&line.parse().unwrap()))
    };
    let sites = weighing["churned"]["sites"].as_array().unwrap().iter();
    sites.filter(of_work).fold((0.0, 0.0), |(objects, bytes), site| {
        let figure = |name: &str| site[name].as_f64().unwrap();
        (objects + figure("objects"), bytes + figure("bytes"))
    })
}

#[test]
#[ignore = "downloads memory_profiler"]
fn totals_agree_with_memory_profiler_and_with_the_collector() {
    let home = tempfile::tempdir().unwrap();
    let library = profiler(home.path());
    fs::write(home.path().join("program.rb"), PROGRAM).unwrap();
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/line-count/lib/pages.rb");
    ran(Command::new("ruby").arg(pages).arg(home.path()));
    for page in ["results.html", "news.html", "minified.html"] {
        let ruby = || {
            let mut ruby = Command::new("ruby");
            ruby.current_dir(home.path());
            ruby
        };
        let theirs = ran(ruby()
            .arg("-I")
            .arg(&library)
            .args(["program.rb", "profiler", page]));
        let collector = ran(ruby().args(["program.rb", "plain", page]))[0];
        let (objects, bytes) = ours(home.path(), page);
        // `lines` hands the page's characters to a hidden string, which copies nothing: memory_profiler counts it as if
        // it did, with its slot and the zero byte behind the characters.
        let root = fs::metadata(home.path().join(page)).unwrap().len() as f64 + 1.0;
        println!(
            "{page}: objects {objects} of {collector} (memory_profiler {}), bytes {bytes} (memory_profiler {} - {root})",
            theirs[0], theirs[1]
        );
        assert!((objects - collector).abs() <= 0.02 * collector);
        assert!((objects - theirs[0]).abs() <= 0.02 * theirs[0]);
        let truth = theirs[1] - root;
        assert!((bytes - truth).abs() <= 0.02 * truth, "{bytes} {truth}");
    }
}
