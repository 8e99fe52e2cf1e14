//! Large pieces under a limit keep what stands in them, wherever they are.
#![cfg(target_os = "linux")]

use deadweight_spill::{LEAST, SpillError, Spilling, keep_to};

#[global_allocator]
static ALLOCATOR: Spilling = Spilling;

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() << 10
}

#[test]
fn what_does_not_fit_goes_to_disk_and_comes_back() {
    assert!(matches!(keep_to(LEAST - 1, |_| ()), Err(SpillError::TooLow(_))));
    // Made before there is a file, and grown afterwards.
    let mut early: Vec<u64> = (0..100_000).collect();
    keep_to(96 << 20, |exceeded| panic!("{exceeded:?}")).unwrap();
    early.extend(100_000..1_000_000);
    assert!(early.iter().copied().eq(0..1_000_000));
    early.truncate(70_000);
    early.shrink_to_fit();
    assert!(early.iter().copied().eq(0..70_000));

    let mut most = 0;
    let mut columns: Vec<Vec<u64>> = Vec::new();
    for column in 0..40_u64 {
        // Grows step by step, as a reader's columns do.
        let mut rows = Vec::new();
        for row in 0..1_500_000_u64 {
            rows.push(row ^ column);
        }
        columns.push(rows);
        most = most.max(resident());
    }
    let zeros = vec![0_u8; 1 << 20];
    assert!(zeros.iter().all(|&byte| byte == 0));
    for (column, rows) in columns.iter().enumerate().rev() {
        let as_written = |(row, value): (usize, &u64)| *value == row as u64 ^ column as u64;
        assert!(rows.iter().enumerate().all(as_written));
        most = most.max(resident());
    }
    assert!(columns.len() * columns[0].len() * 8 >= 480_000_000);
    // Pages come faster than the watch looks, on a busy machine above all.
    assert!(most < 300 << 20, "{most} bytes in memory");
}
