//! Limits as the JavaScript side gives them.

use serde::Deserialize;
use transcript_core::view::Limits;

/// `{"maxBytes", "maxDepth", "maxAliasNodes", "maxAliasBytes", "maxExpanded"}`; what is left out keeps its default.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Options {
    max_bytes: Option<usize>,
    max_depth: Option<usize>,
    max_alias_nodes: Option<usize>,
    max_alias_bytes: Option<usize>,
    max_expanded: Option<usize>,
}

/// Reads limits; an empty text gives the defaults.
///
/// # Errors
/// When the text is not JSON, or an option is unknown or no whole number.
///
/// ```
/// let limits = transcript_wasm::options::limits(r#"{"maxDepth": 10}"#).unwrap();
/// assert_eq!(limits.depth, 10);
/// assert!(transcript_wasm::options::limits(r#"{"maxDepht": 10}"#).is_err());
/// ```
pub fn limits(json: &str) -> Result<Limits, String> {
    let default = Limits::default();
    if json.is_empty() {
        return Ok(default);
    }
    let options: Options = serde_json::from_str(json).map_err(|error| error.to_string())?;
    Ok(Limits {
        bytes: options.max_bytes.unwrap_or(default.bytes),
        depth: options.max_depth.unwrap_or(default.depth),
        alias_nodes: options.max_alias_nodes.unwrap_or(default.alias_nodes),
        alias_bytes: options.max_alias_bytes.unwrap_or(default.alias_bytes),
        expanded: options.max_expanded.unwrap_or(default.expanded),
    })
}
