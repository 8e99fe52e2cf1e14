//! Java virtual machines that were started without a recorder and are captured while they run.

mod jdk;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use deadweight_capture::attach::{self, AttachError, AttachPlan, Attached, Running};
use deadweight_sidecar::Reason;
use tempfile::TempDir;

/// Keeps a thousand orders until its input ends, and ends with 5.
const PROGRAM: &str = r#"
public class Shop {
    record Order(int number, String customer) {}
    static final java.util.List<Order> ORDERS = new java.util.ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 1000; i++) ORDERS.add(new Order(i, "customer " + i));
        System.out.println("ready");
        System.in.read();
        System.out.println("goes on");
        System.exit(5);
    }
}
"#;

struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
    home: TempDir,
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Program {
    /// `java` with the options, behind a command that has it in its place.
    fn start(before: &[&str], options: &[&str]) -> Self {
        let home = jdk::compiled(PROGRAM);
        // Whoever the machine runs as reads its classes.
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let words = [before, &["java"], options, &["-cp", ".", "Shop"]].concat();
        let mut child = Command::new(words[0])
            .args(&words[1..])
            .current_dir(home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Self { child, out, home }
    }

    fn attach(&self, pause: Duration) -> Result<Attached, AttachError> {
        assert_eq!(attach::running(self.child.id()).unwrap(), Running::Java);
        let plan = AttachPlan {
            directory: self.home.path().join("captures"),
            max_pause: pause,
            force: false,
        };
        attach::attach(self.child.id(), &plan, |_| ())
    }

    /// What it writes until it ends, and its exit code: as if nobody had looked.
    fn end(&mut self) -> (String, Option<i32>) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().code())
    }
}

fn check(program: &mut Program) {
    let attached = program.attach(Duration::from_secs(60)).unwrap();
    let capture = &attached.capture;
    let record = &capture.record;
    assert_eq!(
        (record.process.reason, record.process.pid),
        (Reason::Attached, program.child.id())
    );
    assert_eq!(
        (
            record.runtime.name.as_str(),
            record.runtime.version.starts_with("17.")
        ),
        ("java", true)
    );
    assert_eq!(record.jvm.as_ref().unwrap().flags["UseCompressedOops"], "true");
    let name = format!("Shop-{}-1.deadweight", program.child.id());
    assert_eq!(
        capture.directory,
        program
            .home
            .path()
            .canonicalize()
            .unwrap()
            .join("captures")
            .join(name)
    );
    let histogram = capture.histogram().unwrap().unwrap();
    let orders = histogram.classes.iter().find(|(name, ..)| name == "Shop$Order");
    assert_eq!(orders.unwrap(), &("Shop$Order".to_owned(), 1000, 24_000));
    assert_eq!(record.process.heap_used, histogram.bytes());
    let dump = fs::read(capture.snapshot_path().unwrap()).unwrap();
    assert!(
        dump.starts_with(b"JAVA PROFILE 1.0.2\0")
            && dump.len() as u64 == record.snapshot.as_ref().unwrap().bytes.unwrap()
    );
    for file in fs::read_dir(&capture.directory).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.path().display());
    }
    assert_eq!(program.end(), ("goes on\n".to_owned(), Some(5)));
}

#[test]
fn a_machine_is_captured_and_goes_on() {
    let mut program = Program::start(&[], &[]);
    let short = program.attach(Duration::ZERO).unwrap_err();
    assert!(matches!(short, AttachError::Pause { .. }), "{short}");
    check(&mut program);
}

/// As in a container: files of its own below /tmp, ids of its own, another user.
#[test]
fn a_machine_in_namespaces_of_its_own_is_captured() {
    if !is_root() {
        eprintln!("only root makes namespaces");
        return;
    }
    let inside =
        "mount -t tmpfs tmpfs /run && exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"";
    let mut program = Program::start(&["unshare", "--mount", "sh", "-c", inside, "sh"], &[]);
    check(&mut program);
}

#[test]
fn a_machine_that_listens_to_nobody_is_left_alone() {
    for (option, why) in [
        ("-XX:+DisableAttachMechanism", "DisableAttachMechanism"),
        ("-Xrs", "-Xrs"),
    ] {
        let mut program = Program::start(&[], &[option]);
        let error = program.attach(Duration::from_secs(60)).unwrap_err();
        assert!(matches!(error, AttachError::Refused { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
        // A signal would have it write the stacks of its threads, or end it.
        assert_eq!(program.end(), ("goes on\n".to_owned(), Some(5)), "{option}");
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
