//! Names of fields in the name of a place. An object that is used as a table has data for them.

use serde_json::Value;

use super::Redaction;

impl Redaction {
    /// The name of a place or type, with a hash for each field that no code declares by such a name: one that is no
    /// identifier, or was cut.
    fn fields(&self, text: &str) -> String {
        // The column of a data frame: its name is data, unless it could stand in code.
        if let Some((frame, rest)) = text.split_once("[\"")
            && let Some((name, rest)) = rest.split_once("\"]")
        {
            let name = if is_declared(name) {
                name.to_owned()
            } else {
                self.hash(name)
            };
            return format!("{}[\"{name}\"]{}", self.fields(frame), self.fields(rest));
        }
        // Types and functions of native programs, and what was loaded without symbols.
        let is_native = text.contains(['<', '*', '&']) || text.contains("+0x");
        let is_context = text.strip_prefix("(context)").unwrap_or(text);
        if is_native || is_context.contains('(') {
            return text.to_owned();
        }
        let mut shown = String::with_capacity(text.len());
        let mut piece = String::new();
        let mut is_field = false;
        let mut dots = 0;
        for c in text.chars() {
            let ends = match c {
                '.' => {
                    dots += 1;
                    dots == 1
                }
                '[' | ']' | '{' | '}' | ',' => true,
                _ => false,
            };
            if !ends {
                piece.push(c);
                continue;
            }
            self.field(&mut shown, &mut piece, is_field);
            shown.push(c);
            is_field |= matches!(c, '.' | '{');
            if c == '}' {
                dots = 0;
            }
        }
        self.field(&mut shown, &mut piece, is_field);
        shown
    }

    /// The name of a place or of a type.
    pub(super) fn place(&self, text: &str) -> String {
        self.name(&self.fields(text))
    }

    /// How an object refers to another: by a field, an element, or a key.
    pub(super) fn via(&self, text: &str) -> String {
        let is_ours = ["[]", "{}", "{keys}"].contains(&text);
        if is_ours || is_declared(text) {
            self.name(text)
        } else {
            self.hash(text)
        }
    }

    /// Names of fields in evidence.
    pub(super) fn field_names(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.via(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.field_names(value)),
            Value::Object(_) => self.value(true, value),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn field(&self, shown: &mut String, piece: &mut String, is_field: bool) {
        let name = piece.trim_start();
        shown.push_str(&piece[..piece.len() - name.len()]);
        if is_field && !is_declared(name) {
            shown.push_str(&self.hash(name));
        } else {
            shown.push_str(name);
        }
        piece.clear();
    }
}

/// Whether code declares fields by such names; how many more there are is no name.
fn is_declared(name: &str) -> bool {
    let more = name.strip_prefix('+').unwrap_or(name);
    if name.is_empty() || name == "…" || more.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let bare = name
        .trim_start_matches(['@', '$', '#'])
        .trim_end_matches(['?', '!', '=']);
    let mut chars = bare.chars();
    chars
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_data_are_hashed_whole() {
        // No secret is made of hexadecimal digits alone, which a hash may show by chance.
        let redaction = Redaction::default();
        for (name, secrets) in [
            (
                "{John Smith, Ann Doe, +3}.John Smith",
                &["John", "Smith", "Doe"][..],
            ),
            ("Keys.sk-live-stuvwx", &["sk", "live", "stuvwx"]),
            ("{sk-live-stuvwxyzghi…, id}", &["live", "stu"]),
            ("Cache.averylongnameofsome…[]", &["averylong"]),
            ("Sites.www.example.org{}", &["www", "example"]),
            ("{new york, id}.new york[]", &["york"]),
            ("sales (a local variable of load)[\"new york\"]", &["york"]),
            ("shop.sales[\"sk-live-stuvwx\"][]", &["sk", "live", "stuvwx"]),
        ] {
            let redacted = redaction.place(name);
            assert!(redacted.contains('#'), "{redacted}");
            for secret in secrets {
                assert!(!redacted.contains(secret), "{name}: {redacted}");
            }
            assert_eq!(redacted, redaction.place(name));
        }
        let mut fields = serde_json::json!(["id", "John Smith", "sk-live-stuvwx", "stuvwxyzghijklmnopq…"]);
        redaction.field_names(&mut fields);
        assert_eq!(fields[0], "id");
        let text = fields.to_string();
        assert!(
            !text.contains("Smith") && !text.contains("live") && !text.contains("stuv"),
            "{text}"
        );
    }

    #[test]
    fn names_of_code_stay() {
        let redaction = Redaction::default();
        for name in [
            "Node.@tags",
            "$v[]",
            "{id, name, +8}",
            "{a, b, …}",
            "Foo::Bar.list[]",
            "heap number",
            "(context).cache{}",
            "Measurement.cid",
            "std::vector<Node*>::push_back",
        ] {
            assert_eq!(redaction.place(name), name);
        }
    }
}
