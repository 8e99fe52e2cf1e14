//! How much of the dead weight is sure, in plain words.

use deadweight_weighing::Weighing;

use crate::figures::bytes;

/// What the dead weight on the heap and outside of it rests on, each with its label: *sure*, `8.1 MB by the data
/// alone`; *likely*, `4.2 MB if what the findings assume holds`. Nothing where there is none, or where the weighing
/// does not say it.
pub(crate) fn tiers(weighing: &Weighing) -> Vec<(&'static str, String)> {
    let (held, external) = (&weighing.held, &weighing.external);
    let dead = held.dead.saturating_add(external.dead);
    let (Some(held_sure), Some(outside_sure)) = (held.dead_sure, external.dead_sure) else {
        return Vec::new();
    };
    if dead == 0 {
        return Vec::new();
    }
    let sure = held_sure.saturating_add(outside_sure);
    match (sure, dead.saturating_sub(sure)) {
        (_, 0) => vec![("  sure", "all of it, by the data alone".to_owned())],
        (0, _) => vec![(
            "  likely",
            "all of it, if what the findings assume holds".to_owned(),
        )],
        (sure, likely) => vec![
            ("  sure", format!("{} by the data alone", bytes(sure))),
            (
                "  likely",
                format!("{} if what the findings assume holds", bytes(likely)),
            ),
        ],
    }
}
