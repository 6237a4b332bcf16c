//! Keys of an interaction that no recorder writes: people and programs add notes and figures.

use serde_json::{Map, Value};

use super::super::secrets::{blanked, searched};
use super::secrets;
use crate::parse::Node;
use crate::secrets::Search;

/// The keys with a text or a figure that recorders write.
const KNOWN: &str = " base64_string body bodySize connection encoding headersSize httpVersion http_version method pageref \
                     parsed_body path protocol recorded_at recorded_with responseIsBinary serverIPAddress startedDateTime \
                     status statusText time ";

/// The texts and figures under other keys of an interaction, its request and its response, without `known` secrets.
/// Lists and maps are left out, and so are addresses: they may repeat headers and credentials.
pub(super) fn extra(node: &Node, known: &[String]) -> Map<String, Value> {
    let parts = [Some(node), node.get("request"), node.get("response")];
    let mut out = Map::new();
    for entry in parts.into_iter().flatten().flat_map(Node::entries) {
        let key = &*entry.key.text;
        let is_kept = !KNOWN.contains(&format!(" {key} ")) && !secrets::is_secret(key);
        let value = match is_kept && entry.value.entries().is_empty() && entry.value.items().is_empty() {
            true => entry.value.to_value(),
            false => continue,
        };
        if value.as_str().is_none_or(|text| !text.contains("://") && !text.contains('=')) {
            out.insert(key.to_owned(), value);
        }
    }
    match searched(blanked(out.into(), known), &Search::default()) {
        Value::Object(out) => out,
        _ => Map::new(),
    }
}
