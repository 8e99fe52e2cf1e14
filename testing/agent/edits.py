"""The edits that the loop knows: for a finding, what is replaced in the source. An agent with a model would write them."""

import re


def replaced(source, *pairs):
    """The source with each text in place of another, each of which must be there."""
    for old, new in pairs:
        assert old in source, old
        source = source.replace(old, new, 1)
    return source


def percentiles(source):
    return source.replace("HistogramSummary", "ExactSummary").replace("histogram-summary", "exact-summary")


def to_class(source):
    return replaced(
        source,
        ("import { spreadMeasurement } from './lib/spread-measurement.js'", "import { Measurement } from './lib/measurement.js'"),
        ("spreadMeasurement(", "new Measurement("),
    )


def intern(source):
    return replaced(
        source,
        ("import { run }", "import { Interner } from './lib/intern.js'\nimport { run }"),
        ("await run({", "const strings = new Interner()\n\nawait run({"),
        ("(record,", "(strings.internFields(record),"),
        ("\n})", ",\n  onClose: () => strings.clear()\n})"),
    )


def offsets(source):
    return replaced(
        source,
        ("import { toDate }", "import { RoundClock }"),
        ("await run({", "const clock = new RoundClock()\n\nawait run({"),
        (", toDate)", ", clock.toOffset)"),
    )


def columns(source):
    """Columns take the place of the interned strings."""
    source = source.replace("strings.internFields(record)", "record")
    source = re.sub(r"import \{ Interner \}.*\n", "", source)
    source = re.sub(r"const strings = .*\n+", "", source)
    source = re.sub(r",\n  onClose: .*", "", source)
    return replaced(
        source,
        ("import { run }", "import { MeasurementColumns } from './lib/measurement-columns.js'\nimport { run }"),
        ("await run({", "const measurements = new MeasurementColumns()\n\nawait run({"),
        ("\n})", ",\n  measurements,\n  onClose: () => measurements.seal()\n})"),
    )


def packed(source):
    return replaced(
        source,
        ("import * as bson", "import { PackedObjectId } from '@deadweight/remedies'\nimport * as bson"),
        ("bson.ObjectId", "PackedObjectId"),
    )


# By the case: the file that is changed, and what answers a finding of a rule at a place that looks so.
EDITS = {
    "spark-round": [
        ("E01", r"Histogram", percentiles),
        ("L01|L02", r"", to_class),
        ("D01", r"", intern),
        ("L03", r"", offsets),
        ("L06", r"", columns),
    ],
    "objectid": [("L04", r"^ObjectId\.buffer$", packed)],
    # The rewrite that the finding's source comes with is taken as it is.
    "line-count": [],
}
