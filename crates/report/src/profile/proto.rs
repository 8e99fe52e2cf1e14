//! The format of pprof: <https://github.com/google/pprof/blob/main/proto/profile.proto>, gzipped. The few messages it
//! has are written by hand: a field is its number and wire type, then a varint or a length and bytes.

use std::io::Write;

use deadweight_heap::Churn;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustc_hash::FxHashMap;

use super::outermost_first;
use crate::WriteError;

/// Field numbers of `Profile`.
const SAMPLE_TYPE: u64 = 1;
const SAMPLE: u64 = 2;
const LOCATION: u64 = 4;
const FUNCTION: u64 = 5;
const STRING_TABLE: u64 = 6;
const PERIOD_TYPE: u64 = 11;
const PERIOD: u64 = 12;
const DEFAULT_SAMPLE_TYPE: u64 = 14;

/// Samples have objects and bytes, as pprof calls them for Go: `alloc_objects`, `alloc_space`.
///
/// # Errors
/// When the output takes no more.
pub fn pprof(churn: &Churn, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut profile = Message::default();
    let mut strings = Strings::default();
    for (name, unit) in [("alloc_objects", "count"), ("alloc_space", "bytes")] {
        profile.message(SAMPLE_TYPE, &value_type(&mut strings, name, unit));
    }
    for row in churn.rows.iter().filter(|row| row.bytes > 0) {
        let mut locations = outermost_first(churn, row.stack);
        locations.reverse();
        let mut sample = Message::default();
        sample.packed(1, locations.iter().map(|&frame| u64::from(frame) + 1));
        sample.packed(2, [row.count, row.bytes].into_iter());
        let name = churn.type_name(row);
        if !name.is_empty() {
            let mut label = Message::default();
            label.number(1, strings.id("type"));
            label.number(2, strings.id(name));
            sample.message(3, &label);
        }
        profile.message(SAMPLE, &sample);
    }
    for (at, frame) in churn.frames.iter().enumerate() {
        let id = at as u64 + 1;
        let mut line = Message::default();
        line.number(1, id);
        line.number(2, u64::from(frame.line));
        let mut location = Message::default();
        location.number(1, id);
        location.message(4, &line);
        profile.message(LOCATION, &location);
        let name = if frame.function.is_empty() {
            "(top of the file)"
        } else {
            &frame.function
        };
        let mut function = Message::default();
        function.number(1, id);
        function.number(2, strings.id(name));
        function.number(3, strings.id(name));
        function.number(4, strings.id(&frame.file));
        profile.message(FUNCTION, &function);
    }
    if let deadweight_heap::churn::Sampling::Bytes(every) = churn.sampling {
        profile.message(PERIOD_TYPE, &value_type(&mut strings, "space", "bytes"));
        profile.number(PERIOD, every);
    }
    profile.number(DEFAULT_SAMPLE_TYPE, strings.id("alloc_space"));
    for text in strings.texts() {
        profile.bytes(STRING_TABLE, text.as_bytes());
    }
    let mut packed = GzEncoder::new(out, Compression::default());
    packed.write_all(&profile.0)?;
    packed.finish()?;
    Ok(())
}

fn value_type(strings: &mut Strings, name: &str, unit: &str) -> Message {
    let mut message = Message::default();
    message.number(1, strings.id(name));
    message.number(2, strings.id(unit));
    message
}

/// Texts by number; the first is empty, as the format asks.
#[derive(Default)]
struct Strings {
    ids: FxHashMap<String, u64>,
}

impl Strings {
    fn id(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let next = self.ids.len() as u64 + 1;
        *self.ids.entry(text.to_owned()).or_insert(next)
    }

    fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.ids.len() + 1];
        for (text, &id) in &self.ids {
            texts[id as usize] = text;
        }
        texts
    }
}

/// A message in the making.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }

    fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) {
        let mut inner = Self::default();
        values.for_each(|value| inner.varint(value));
        self.message(field, &inner);
    }
}
