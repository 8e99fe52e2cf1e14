//! Small programs, some at a time.

/// Does a piece of work for each item, some at a time, and hands results over in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R),
) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    if sender.send((at, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        let mut shown = 0;
        for (at, result) in receiver {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&shown) {
                done(&items[shown], result);
                shown += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let items: Vec<u64> = (0..50).collect();
        let mut seen = Vec::new();
        in_parallel(
            &items,
            4,
            |&item| {
                std::thread::sleep(std::time::Duration::from_millis((item * 7) % 5));
                item * 2
            },
            |&item, double| seen.push((item, double)),
        );
        assert_eq!(
            seen,
            items.iter().map(|&item| (item, item * 2)).collect::<Vec<_>>()
        );
    }
}
