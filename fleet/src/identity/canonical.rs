//! JSON with keys in order, in as few allocations as it takes: texts without escapes stay where they are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Number;

/// A value that is written with the keys of every object in order, each once: the last of equal keys counts.
pub(super) enum Canonical<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Canonical<'a>>),
    Object(Vec<(Text<'a>, Canonical<'a>)>),
}

/// A key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Canonical<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfValue)
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OfText).map(Self)
    }
}

struct OfValue;

impl<'de> Visitor<'de> for OfValue {
    type Value = Canonical<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Canonical::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Canonical::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Canonical::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Canonical::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Number::from_f64(value).map_or(Canonical::Null, Canonical::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        OfText.visit_str(text).map(Canonical::Text)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        OfText.visit_borrowed_str(text).map(Canonical::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            list.push(value);
        }
        Ok(Canonical::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut object: Vec<(Text<'de>, Canonical<'de>)> = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        // The order of equal keys stays, and the last of them is met first from behind.
        object.sort_by(|(a, _), (b, _)| a.cmp(b));
        object.reverse();
        object.dedup_by(|(a, _), (b, _)| a == b);
        object.reverse();
        Ok(Canonical::Object(object))
    }
}

struct OfText;

impl<'de> Visitor<'de> for OfText {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }
}

impl Serialize for Canonical<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(&*key.0, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_order_and_the_last_of_equal_ones_counts() {
        for (json, expected) in [
            (
                r#" {"b": [1, -2, 3.50, 1e300, null, true], "a": {"z": "\u00fc\n", "y": {}}, "ä": []}"#,
                r#"{"a":{"y":{},"z":"ü\n"},"b":[1,-2,3.5,1e+300,null,true],"ä":[]}"#,
            ),
            (
                r#"{"a":1,"b":2,"a":{"d":4,"c":3},"b":4,"a":[5]}"#,
                r#"{"a":[5],"b":4}"#,
            ),
            (r#""a text""#, r#""a text""#),
            ("18446744073709551615", "18446744073709551615"),
            (r#"[[],[[]],{"\u0000":""}]"#, r#"[[],[[]],{"\u0000":""}]"#),
        ] {
            let canonical: Canonical<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&canonical).unwrap(), expected);
        }
    }
}
