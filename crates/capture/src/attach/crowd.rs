//! How much of a core a thread that computes gets while others want it, too.

use std::fs;
use std::hint;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Long enough for the scheduler to come round several times.
const LOOK: Duration = Duration::from_millis(300);

/// A smaller share cannot be distinguished from noise.
const LEAST: f64 = 0.02;

/// The share, from nearly 0 to 1: what a thread of this process gets now, which computes for a moment, or what the process's
/// container may have of a core, where that is less. 1 where the system does not say.
pub(super) fn share_of_a_core(pid: u32) -> f64 {
    let measured = measured().unwrap_or(1.0);
    measured.min(allowed(pid).unwrap_or(1.0)).clamp(LEAST, 1.0)
}

fn measured() -> Option<f64> {
    let before = computed()?;
    let began = Instant::now();
    while began.elapsed() < LOOK {
        hint::spin_loop();
    }
    let took = began.elapsed();
    Some(computed()?.saturating_sub(before).as_secs_f64() / took.as_secs_f64())
}

/// What this thread has computed until now.
fn computed() -> Option<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    let time = usage.user_time() + usage.system_time();
    Some(Duration::from_micros(
        u64::try_from(time.num_microseconds()).ok()?,
    ))
}

/// What the control groups of a process allow it of a core.
fn allowed(pid: u32) -> Option<f64> {
    let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let group = root.join(own);
    let above = group.ancestors().take_while(|group| group.starts_with(root));
    let limits = above.filter_map(|group| quota(&fs::read_to_string(group.join("cpu.max")).ok()?));
    limits.min_by(f64::total_cmp)
}

/// `50000 100000` is half a core; `max` is no limit.
fn quota(limit: &str) -> Option<f64> {
    let (quota, period) = limit.trim().split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread;

    use super::*;

    #[test]
    fn limits_are_read() {
        assert_eq!(quota("50000 100000\n"), Some(0.5));
        assert_eq!(quota("max 100000"), None);
        assert_eq!(quota("nonsense"), None);
    }

    #[test]
    fn among_many_that_compute_the_share_is_small() {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..cores * 7 {
                scope.spawn(|| {
                    while !ended.load(Relaxed) {
                        hint::spin_loop();
                    }
                });
            }
            thread::sleep(Duration::from_millis(50));
            let share = measured().unwrap();
            ended.store(true, Relaxed);
            assert!(share < 0.5, "{share}");
        });
    }
}
