use proptest::prelude::*;

use super::*;
use crate::{Edge, EdgeKind, EdgesBuilder, Objects, Referrers, RowSet};

proptest! {
    #[test]
    fn what_is_gathered_in_pieces_is_what_was_there(
        objects in proptest::collection::vec(proptest::collection::vec((0_u32..4, 0_u32..3), 0..4), 1..200),
        piece in 1_usize..40,
    ) {
        let edge = |&(name, to): &(u32, u32)| Edge { via: Via::new(EdgeKind::Field, name), to };
        let all: Vec<Vec<Edge>> = objects.iter().map(|object| object.iter().map(edge).collect()).collect();
        let count = all.iter().map(Vec::len).sum();
        let mut to = vec![0; count];
        let mut of = vec![0; all.len()];
        let (mut pieces, mut others) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (i, objects) in all.chunks(piece).enumerate() {
            let len: usize = objects.iter().map(Vec::len).sum();
            // The first object of each piece is read by somebody else.
            let first = i * piece;
            let targets: Vec<ObjectId> = objects[0].iter().map(|edge| edge.to).collect();
            to[start..start + targets.len()].copy_from_slice(&targets);
            others.push((first as ObjectId, start, objects[0].iter().map(|edge| edge.via).collect()));
            let inner = start + targets.len();
            let room = &mut to[inner..start + len];
            let mut gathered = Gathered::new(&mut of[first + 1..first + objects.len()], room, inner);
            for object in &objects[1..] {
                let names: Vec<Via> = object.iter().map(|edge| edge.via).collect();
                let targets: Vec<ObjectId> = object.iter().map(|edge| edge.to).collect();
                gathered.push(&names, &targets);
            }
            pieces.push((first + 1, gathered.finish()));
            start += len;
        }
        let mut edges = Edges::join(of, to, pieces, others, count);
        prop_assert_eq!(edges.len(), count);
        prop_assert!(edges.edge_shapes() <= 4_usize.pow(4));
        for (id, object) in (0..).zip(&all) {
            prop_assert_eq!(&edges.of(id).collect::<Vec<_>>(), object);
            prop_assert_eq!(edges.edge_shape_names(edges.edge_shape(id)), edges.names(id));
        }
        // Who names whom does not depend on how references are kept.
        let mut own = EdgesBuilder::default();
        for object in &all {
            for edge in object {
                own.push(edge.via, edge.to);
            }
            own.end_row();
        }
        let own = own.finish();
        let rows = Objects::with_len(all.len());
        let [shared_names, own_names] = [&edges, &own].map(|edges| Referrers::new(&rows, &[], edges, None));
        for id in 0..all.len() as ObjectId {
            prop_assert_eq!(shared_names.of(id), own_names.of(id));
            prop_assert_eq!(shared_names.are_several(id), own_names.are_several(id));
        }
        let leading = |edges: &Edges| {
            let found = std::sync::Mutex::new(Vec::new());
            edges.each_to(|to| to == 1, |from, place, to| found.lock().unwrap().push((from, place, to)));
            let mut found = found.into_inner().unwrap();
            found.sort_unstable();
            found
        };
        prop_assert_eq!(leading(&edges), leading(&own));
        // One object's names are changed, and no other's.
        let last = all.len() as ObjectId - 1;
        let renamed = Via::new(EdgeKind::Weak, 9);
        edges.rename_each([last], |_, names| names.fill(renamed));
        let weak: Vec<Edge> = all[last as usize].iter().map(|edge| Edge { via: renamed, ..*edge }).collect();
        prop_assert_eq!(&edges.of(last).collect::<Vec<_>>(), &weak);
        for (id, object) in (0..last).zip(&all) {
            prop_assert_eq!(&edges.of(id).collect::<Vec<_>>(), object);
        }
        // The references of some are taken away, and no others.
        let gone = RowSet::of(all.len(), |id| id != last && id % 3 != 1);
        let left = |id: ObjectId| if gone.has(id) { &[][..] } else { &all[id as usize] };
        for mut edges in [edges, own] {
            edges.remove_of(&gone);
            for id in 0..last {
                prop_assert_eq!(&edges.of(id).collect::<Vec<_>>(), left(id));
            }
            prop_assert_eq!(edges.count(last), all[last as usize].len());
            prop_assert_eq!(edges.len(), (0..=last).map(|id| left(id).len()).sum::<usize>());
        }
    }
}
