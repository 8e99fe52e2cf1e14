//! The processes a program has started.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal};

struct Member {
    pid: i32,
    parent: i32,
    catches: bool,
}

/// The program and its descendants, as far as they have a handler for the signal. Where the system does not say,
/// it is the program alone.
pub(crate) fn catching(program: Pid, signal: Signal) -> Vec<Pid> {
    let Some(everyone) = read(Path::new("/proc"), signal) else {
        return vec![program];
    };
    let mut family = vec![program.as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(&parent) = family.get(next) {
        next += 1;
        let children = everyone
            .iter()
            .filter(|member| member.parent == parent && member.pid != parent);
        family.extend(children.map(|member| member.pid));
    }
    let catches = |pid: &i32| everyone.iter().any(|member| member.pid == *pid && member.catches);
    family
        .into_iter()
        .filter(catches)
        .filter_map(Pid::from_raw)
        .collect()
}

fn read(proc: &Path, signal: Signal) -> Option<Vec<Member>> {
    let pids = fs::read_dir(proc).ok()?.flatten();
    let members: Vec<Member> = pids
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let status = fs::read_to_string(entry.path().join("status")).ok()?;
            parse(pid, &status, signal)
        })
        .collect();
    (!members.is_empty()).then_some(members)
}

fn parse(pid: i32, status: &str, signal: Signal) -> Option<Member> {
    let field = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
    };
    let caught = u64::from_str_radix(field("SigCgt:")?, 16).ok()?;
    let bit = 1 << (signal.as_raw() - 1);
    Some(Member {
        pid,
        parent: field("PPid:")?.parse().ok()?,
        catches: caught & bit != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_shows_parent_and_handlers() {
        let status = "Name:\tnode\nPPid:\t12\nSigCgt:\t0000000000000800\n";
        let member = parse(34, status, Signal::USR2).unwrap();
        assert_eq!((member.pid, member.parent, member.catches), (34, 12, true));
        assert!(!parse(34, status, Signal::TERM).unwrap().catches);
        assert!(parse(34, "Name:\tgone", Signal::TERM).is_none());
    }
}
