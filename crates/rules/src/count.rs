//! Counts as people read them.

use std::fmt;

/// A count with a comma between each three digits: `1,234,567`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(pub(crate) u64);

impl Count {
    /// The count with what is counted, in the singular or the plural: `1 buffer`, `1,234 buffers`.
    pub(crate) fn of(self, one: &str, many: &str) -> String {
        format!("{self} {}", if self.0 == 1 { one } else { many })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_thousands() {
        for (count, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(Count(count).to_string(), shown);
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(Count(1).of("map", "maps"), "1 map");
        assert_eq!(Count(0).of("map", "maps"), "0 maps");
        assert_eq!(Count(1000).of("map", "maps"), "1,000 maps");
    }
}
