//! What a machine says of its heap as a whole.

/// Bytes of the heap, summed over its generations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeapSize {
    /// In use, garbage included.
    pub used: u64,
    /// Taken from the system.
    pub total: u64,
}

/// Of what the machine answers to `GC.heap_info`, such as ` garbage-first heap   total 262144K, used 2345K [0x…)`; each collector
/// has words of its own. `None` where there is no such line.
pub(super) fn parse(text: &str) -> Option<HeapSize> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("Metaspace") && !line.starts_with("class space"));
    let mut sum = HeapSize::default();
    for line in lines {
        let words: Vec<&str> = line
            .split([' ', ',', '\t'])
            .filter(|word| !word.is_empty())
            .collect();
        let place = |name: &str| words.iter().position(|word| *word == name);
        let number = |at: usize| words.get(at).and_then(|word| bytes(word));
        // Shenandoah's numbers stand before their names, and its line ends with what is in use.
        let is_before = words.last() == Some(&"used");
        let of = |name: &str| {
            let at = place(name)?;
            number(if is_before { at.checked_sub(1)? } else { at + 1 })
        };
        if let Some(used) = of("used") {
            sum.used += used;
            sum.total += of("total").or(of("capacity")).or(of("committed")).unwrap_or(used);
        }
    }
    (sum.used > 0).then_some(sum)
}

fn bytes(word: &str) -> Option<u64> {
    let unit = match word.chars().last()? {
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        _ => return None,
    };
    word[..word.len() - 1].parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_collector_has_words_of_its_own() {
        for (text, used, total) in [
            (
                " garbage-first heap   total 131072K, used 3457K [0x1, 0x2)\n  region size 1024K, 2 young (2048K)\n Metaspace       used \
                 7K, committed 64K\n  class space    used 5K, committed 64K\n",
                3457 << 10,
                131_072 << 10,
            ),
            (
                " def new generation   total 9792K, used 1234K [0x1)\n  eden space 8704K,  14% used [0x1)\n tenured generation   \
                 total 21888K, used 6K [0x1)\n   the space 21888K,   0% used [0x1)\n",
                1240 << 10,
                31_680 << 10,
            ),
            (
                " ZHeap           used 12M, capacity 34M, max capacity 9G\n",
                12 << 20,
                34 << 20,
            ),
            (
                "Shenandoah Heap\n 123M max, 12M soft max, 34M committed, 2M used\n",
                2 << 20,
                34 << 20,
            ),
        ] {
            assert_eq!(parse(text), Some(HeapSize { used, total }), "{text}");
        }
        assert_eq!(parse("Unknown diagnostic command"), None);
    }
}
