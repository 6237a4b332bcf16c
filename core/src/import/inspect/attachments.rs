//! The long texts of a sample are stored separately, with a reference in their place.

use serde_json::{Map, Value};

use super::super::records::Records;
use crate::diagnostic::codes;
use crate::parse::Node;
use crate::text::Set;

/// The separate texts, and which of them were put back.
pub(super) struct Attachments {
    texts: Map<String, Value>,
    used: Set<String>,
}

/// How a text refers to an attachment.
const ATTACHMENT: &str = "attachment://";

impl Attachments {
    pub(super) fn new(attachments: Option<Value>) -> Self {
        let texts = match attachments {
            Some(Value::Object(texts)) => texts,
            _ => Map::new(),
        };
        Self { texts, used: Set::new() }
    }

    /// The value with its texts; an unknown one stays a reference.
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => {
                let known = text.strip_prefix(ATTACHMENT).and_then(|key| Some((key, self.texts.get(key)?)));
                match known {
                    Some((key, whole)) => {
                        let whole = whole.clone();
                        self.used.insert(key.to_owned());
                        whole
                    }
                    None => text.into(),
                }
            }
            Value::Array(items) => items.into_iter().map(|item| self.resolve(item)).collect(),
            Value::Object(map) => {
                map.into_iter().map(|(key, item)| (key, self.resolve(item))).collect::<Map<_, _>>().into()
            }
            other => other,
        }
    }

    /// Reports each text that the log lacks, once and where it is named first: at a message, if one names it.
    pub(super) fn diagnose_missing(&self, sample: &Node, records: &mut Records) {
        let mut reported = Set::new();
        if let Some(messages) = sample.get("messages") {
            self.find_missing(messages, &mut reported, records);
        }
        for entry in sample.entries().iter().filter(|entry| &*entry.key.text != "attachments") {
            self.find_missing(&entry.value, &mut reported, records);
        }
    }

    fn find_missing(&self, node: &Node, reported: &mut Set<String>, records: &mut Records) {
        node.items().iter().for_each(|item| self.find_missing(item, reported, records));
        node.entries().iter().for_each(|entry| self.find_missing(&entry.value, reported, records));
        let Some(key) = node.as_str().and_then(|text| text.strip_prefix(ATTACHMENT)) else { return };
        // An address with more text behind it is a text that mentions one.
        let is_reference = !key.is_empty() && !key.contains(char::is_whitespace);
        if is_reference && !self.texts.contains_key(key) && reported.insert(key.to_owned()) {
            let message = format!("the log has no attachment `{key}`");
            let help = "its text is unknown, so the reference is kept";
            records.warn(codes::LOG_ENTRY, node.span, message, help);
        }
    }

    /// The texts that nothing named.
    pub(super) fn unused(self) -> Map<String, Value> {
        let used = self.used;
        self.texts.into_iter().filter(|(key, _)| !used.contains(key)).collect()
    }
}
