//! What holds for every model, whatever its classes.

use deadweight_allocators::{NAMES, by_name};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_block_holds_its_request_and_larger_requests_cost_no_less(bits in 0_u32..40, low in any::<u64>()) {
        let bytes = (1_u64 << bits) | (low & ((1 << bits) - 1));
        for name in NAMES {
            let model = by_name(name).expect(name);
            let (usable, charged) = (model.usable(bytes), model.charged(bytes));
            prop_assert!(bytes <= usable && usable <= charged, "{name}");
            prop_assert!(model.charged(bytes - 1) <= charged, "{name}");
            prop_assert_eq!(model.charged_for_usable(usable), charged, "{}", name);
        }
    }
}
