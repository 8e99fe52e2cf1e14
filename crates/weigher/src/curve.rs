//! What a process held over time, from the file beside its dump.

use std::path::Path;

use deadweight_capture::Capture;
use deadweight_sidecar::{CURVE, CURVE_SCHEMA, Counted, HeldAt};
use deadweight_weighing::{Curve, CurveOf, Moment};

use crate::WeighError;

/// That of a capture, if its recorder noted it.
pub fn of_capture(capture: &Capture) -> Result<Option<Curve>, WeighError> {
    let name = capture.record.curve.as_ref();
    name.map(|name| read(&capture.directory.join(name))).transpose()
}

/// That of a native dump, if there is one beside it.
pub fn beside(dump: &Path) -> Result<Option<Curve>, WeighError> {
    let path = dump.with_extension(CURVE.name());
    path.exists().then(|| read(&path)).transpose()
}

fn read(path: &Path) -> Result<Curve, WeighError> {
    let file = CURVE.read(path)?;
    if file.schema != CURVE_SCHEMA {
        return Err(WeighError::CurveSchema {
            path: path.to_owned(),
            found: file.schema,
        });
    }
    let moment = |HeldAt { ms, bytes }| Moment { ms, bytes };
    let of = match file.of {
        Counted::Collected => CurveOf::Collected,
        Counted::Live => CurveOf::Live,
    };
    let points: Vec<Moment> = file.points.into_iter().map(moment).collect();
    Ok(Curve::new(
        of,
        &points,
        moment(file.highest),
        moment(file.captured),
    ))
}
