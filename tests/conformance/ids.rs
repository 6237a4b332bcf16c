//! Ids up to renaming: equal ids on one side are equal ids on the other.

use std::collections::BTreeMap;

use serde_json::Value;

/// Which id of the golden is which of ours.
#[derive(Default)]
pub(crate) struct Ids {
    ours: BTreeMap<String, String>,
    goldens: BTreeMap<String, String>,
}

impl Ids {
    /// Treats two ids as the same one; whether that is consistent.
    pub(crate) fn same(&mut self, golden: &str, ours: &str) -> bool {
        let known = self.ours.entry(golden.to_owned()).or_insert_with(|| ours.to_owned()) == ours;
        let back = self.goldens.entry(ours.to_owned()).or_insert_with(|| golden.to_owned()) == golden;
        known && back
    }

    /// A text of the golden with our ids in place of its own.
    pub(crate) fn renamed(&self, golden: &str) -> String {
        let mut out = String::new();
        let mut rest = golden;
        while let Some((before, after)) = rest.split_once("<ulid:") {
            let Some((number, after)) = after.split_once('>') else { break };
            let token = format!("<ulid:{number}>");
            out.push_str(before);
            out.push_str(self.ours.get(&token).unwrap_or(&token));
            rest = after;
        }
        out + rest
    }

    /// Whether two texts are the same; those of argument validation come from another package and need only
    /// be such.
    pub(crate) fn same_text(&self, golden: &str, ours: &str) -> bool {
        let loose = |text: &str| text.split_once("Validation error:").map(|(before, _)| before.to_owned());
        match (loose(golden), loose(ours)) {
            (Some(golden), Some(ours)) => golden == ours,
            _ => self.renamed(golden) == ours,
        }
    }

    /// Whether two pieces of data are the same, their texts as [`Ids::same_text`] has it.
    pub(crate) fn same_data(&self, golden: &Value, ours: &Value) -> bool {
        match (golden, ours) {
            (Value::String(golden), Value::String(ours)) => self.same_text(golden, ours),
            (Value::Array(golden), Value::Array(ours)) => {
                golden.len() == ours.len()
                    && golden.iter().zip(ours).all(|(golden, ours)| self.same_data(golden, ours))
            }
            (Value::Object(golden), Value::Object(ours)) => {
                golden.len() == ours.len()
                    && golden
                        .iter()
                        .all(|(key, golden)| ours.get(key).is_some_and(|ours| self.same_data(golden, ours)))
            }
            _ => golden == ours,
        }
    }
}
