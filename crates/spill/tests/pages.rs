//! Large pieces without a limit, in a process whose allocator gives them pages of their own.

use deadweight_spill::Spilling;

#[global_allocator]
static ALLOCATOR: Spilling = Spilling;

/// Numbers that take 16 MiB.
const MANY: u64 = 2 << 20;

#[test]
fn what_grows_and_shrinks_keeps_its_contents() {
    let mut grown = Vec::new();
    for number in 0..MANY {
        grown.push(number);
    }
    assert!(grown.iter().copied().eq(0..MANY));
    for kept in [MANY / 2, 200_000, 100_000, 10] {
        grown.truncate(kept as usize);
        grown.shrink_to_fit();
        assert!(grown.iter().copied().eq(0..kept));
    }
    grown.extend(10..MANY);
    assert!(grown.into_iter().eq(0..MANY));
}

#[test]
fn what_is_asked_for_as_zero_is_zero_after_others_were_given_back() {
    for _ in 0..4 {
        let mut zeros = vec![0_u64; MANY as usize];
        assert!(zeros.iter().all(|&number| number == 0));
        zeros.fill(u64::MAX);
    }
}

#[test]
fn a_piece_of_a_wide_alignment_has_it() {
    #[repr(align(16384))]
    #[derive(Clone)]
    struct Wide([u8; 16384]);
    let wide = vec![Wide([7; 16384]); 300];
    assert_eq!(wide.as_ptr() as usize % 16384, 0);
    assert!(wide.iter().all(|wide| wide.0.iter().all(|&byte| byte == 7)));
}

#[test]
fn pieces_of_all_sizes_have_their_own_contents_on_all_threads() {
    let work = |seed: u64| {
        let mut random = seed;
        let mut held: Vec<(u64, Vec<u64>)> = Vec::new();
        for round in 0..400_u64 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(seed | 1);
            let numbers = 100_000 + (random >> 33) as usize % 900_000;
            let mark = seed << 32 | round;
            let mut piece = vec![0; numbers];
            assert!(piece.iter().all(|&number| number == 0));
            piece.fill(mark);
            // Some grow, some shrink, all keep what they have.
            piece.resize(numbers / 2 + (random >> 20) as usize % numbers, mark);
            piece.shrink_to_fit();
            held.push((mark, piece));
            if held.len() > 6 {
                let (mark, piece) = held.swap_remove((random >> 40) as usize % 6);
                assert!(piece.iter().all(|&number| number == mark));
            }
        }
        assert!(
            held.iter()
                .all(|(mark, piece)| piece.iter().all(|number| number == mark))
        );
    };
    std::thread::scope(|scope| {
        for seed in 1..4 {
            scope.spawn(move || work(seed));
        }
    });
}
