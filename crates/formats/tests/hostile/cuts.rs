//! Files that are cut, plain and compressed.

use std::io::Write as _;

use crate::fixtures::fixtures;
use crate::{error_of, small, weighed};

#[test]
fn a_cut_at_every_byte_is_an_error() {
    let text = small();
    for end in 0..text.len() {
        let cut = &text.as_bytes()[..end];
        if let Ok(heap) = weighed(cut) {
            panic!(
                "cut at {end} of {} gave {} objects",
                text.len(),
                heap.rows().len()
            );
        }
    }
}

#[test]
fn compressed_files_that_are_cut_are_reported() {
    let text = small();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for (name, packed) in [("gzip", gzip), ("zstd", zstd)] {
        assert_eq!(
            weighed(&packed).unwrap().rows().len(),
            weighed(text.as_bytes()).unwrap().rows().len()
        );
        for end in 4..packed.len() {
            let error = error_of(&packed[..end]);
            assert!(
                error.contains("at byte ") && error.contains("expected "),
                "{name} cut at {end}: {error}"
            );
        }
        let mut broken = packed.clone();
        for at in 4..broken.len() {
            broken[at] ^= 0x55;
            let _ = weighed(&broken);
            broken[at] ^= 0x55;
        }
    }
}

#[test]
fn a_real_snapshot_cut_anywhere_is_an_error() {
    for bytes in fixtures() {
        for end in (0..bytes.len())
            .step_by(397)
            .chain(bytes.len() - 200..bytes.len())
        {
            assert!(weighed(&bytes[..end]).is_err(), "cut at {end} of {}", bytes.len());
        }
    }
}
