//! The processes a program has started.

use std::{fs, path::Path};

use rustix::process::{Pid, Signal};

struct Member {
    pid: i32,
    parent: i32,
    /// A bit for each signal that it has a handler for.
    caught: u64,
}

/// The program and its descendants, as far as they have a handler for the signal. Where the system does not say,
/// it is the program alone.
pub(crate) fn catching(program: Pid, signal: Signal) -> Vec<Pid> {
    let Some(everyone) = read(Path::new("/proc")) else {
        return vec![program];
    };
    let bit = 1 << (signal.as_raw() - 1);
    let catches = |pid: &i32| {
        everyone
            .iter()
            .any(|member| member.pid == *pid && member.caught & bit != 0)
    };
    of(&everyone, program.as_raw_nonzero().get())
        .into_iter()
        .filter(catches)
        .filter_map(Pid::from_raw)
        .collect()
}

/// The processes that the program and its descendants started; none where the system does not say.
pub(crate) fn descendants(proc: &Path, program: u32) -> Vec<u32> {
    let (Some(everyone), Ok(program)) = (read(proc), i32::try_from(program)) else {
        return Vec::new();
    };
    let others = of(&everyone, program).into_iter().skip(1);
    others.filter_map(|pid| u32::try_from(pid).ok()).collect()
}

/// The program, and behind it its descendants.
fn of(everyone: &[Member], program: i32) -> Vec<i32> {
    let mut family = vec![program];
    let mut next = 0;
    while let Some(&parent) = family.get(next) {
        next += 1;
        let children = everyone
            .iter()
            .filter(|member| member.parent == parent && member.pid != parent);
        family.extend(children.map(|member| member.pid));
    }
    family
}

fn read(proc: &Path) -> Option<Vec<Member>> {
    let pids = fs::read_dir(proc).ok()?.flatten();
    let members: Vec<Member> = pids
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let status = fs::read_to_string(entry.path().join("status")).ok()?;
            parse(pid, &status)
        })
        .collect();
    (!members.is_empty()).then_some(members)
}

fn parse(pid: i32, status: &str) -> Option<Member> {
    let field = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
    };
    let caught = u64::from_str_radix(field("SigCgt:")?, 16).ok()?;
    Some(Member {
        pid,
        parent: field("PPid:")?.parse().ok()?,
        caught,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_shows_parent_and_handlers() {
        let status = "Name:\tnode\nPPid:\t12\nSigCgt:\t0000000000000800\n";
        let member = parse(34, status).unwrap();
        let usr2 = 1 << (Signal::USR2.as_raw() - 1);
        assert_eq!((member.pid, member.parent, member.caught), (34, 12, usr2));
        assert!(parse(34, "Name:\tgone").is_none());
    }
}
