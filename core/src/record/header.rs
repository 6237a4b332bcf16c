//! The first line of a recording in its journal: its name and options. It is no fact.

use serde_json::{Map, Value};

use super::options::{NestedFiles, Serializer, Ulids};
use super::{FACT_VERSION, Options, Problem};
use crate::text::{JsonMap, json, kind_name};

/// The value of `fact` in it.
pub(super) const BEGAN: &str = "recording_began";

/// The start of the line; inside a JSON text its quotes would be escaped.
pub(super) const START: &str = "{\"v\":1,\"fact\":\"recording_began\"";

/// The first line of a recording, its line break included: the version of the facts, the name of the
/// recording, and the options that differ from their defaults.
///
/// ```
/// use transcript_core::record::{Options, journal_header};
/// let options = Options { recording: Some("r1".into()), name: Some("weather".into()), ..Options::default() };
/// let line = "{\"v\":1,\"fact\":\"recording_began\",\"id\":\"r1\",\"options\":{\"name\":\"weather\"}}\n";
/// assert_eq!(journal_header(&options), line);
/// ```
#[must_use]
pub fn journal_header(options: &Options) -> String {
    let mut line = Map::new();
    line.put("v", FACT_VERSION.into());
    line.put("fact", BEGAN.into());
    line.put_some("id", options.recording.as_deref().map(Value::from));
    line.put("options", Value::Object(options_to_map(options)));
    let mut line = Value::Object(line).to_string();
    line.push('\n');
    line
}

/// The options as [`Options::from_value`] reads them.
fn options_to_map(options: &Options) -> Map<String, Value> {
    let none = Options::default();
    let mut out = Map::new();
    let mut put = |key: &str, differs: bool, value: Value| {
        if differs {
            out.put(key, value);
        }
    };
    put("name", options.name.is_some(), json!(options.name));
    put("created", options.created.is_some(), json!(options.created));
    let maps = [("metadata", &options.metadata), ("config", &options.config), ("context", &options.context)];
    for (key, map) in maps {
        put(key, !map.is_empty(), Value::Object(map.clone()));
    }
    let ulids = if options.ulids == Ulids::Keep { "keep" } else { "drop" };
    put("ulids", options.ulids != none.ulids, ulids.into());
    put("compact", options.compact, true.into());
    put("chunks", options.chunks, true.into());
    let of_tools = options.serializers.iter().map(|(tool, how)| (tool.clone(), name(*how)));
    put("serializers", !options.serializers.is_empty(), Value::Object(of_tools.collect()));
    put("serializer", options.serializer != none.serializer, name(options.serializer));
    let nested = match options.nested {
        NestedFiles::Inline => Value::Null,
        NestedFiles::Above(bytes) => bytes.into(),
    };
    put("nested", !nested.is_null(), nested);
    put("maxBytes", options.max_bytes != none.max_bytes, options.max_bytes.into());
    out
}

fn name(how: Serializer) -> Value {
    match how {
        Serializer::Json => "json",
        Serializer::Text => "text",
        Serializer::Python => "python",
    }
    .into()
}

/// The content of a first line.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub id: Option<String>,
    pub options: Map<String, Value>,
    /// Its unusable parts.
    pub problems: Vec<Problem>,
}

/// Reads the line; `None` when it is no first line.
pub(super) fn read(line: &Value) -> Option<Header> {
    line.get("fact").filter(|fact| *fact == BEGAN)?;
    let mut out = Header::default();
    match line.get("v") {
        None | Some(Value::Null) => {}
        Some(version) if version.as_u64() == Some(FACT_VERSION) => {}
        Some(version) => {
            let message = format!("the recording has version `{version}`; this reads `1`");
            out.problems.push(Problem::new(message));
        }
    }
    out.id = line.get("id").and_then(Value::as_str).map(str::to_owned);
    match line.get("options") {
        Some(Value::Object(options)) => {
            for (key, value) in options {
                let alone = Map::from_iter([(key.clone(), value.clone())]);
                // An unreadable one must not prevent reading the recording.
                match Options::from_value(&Value::Object(alone)) {
                    Ok(_) => drop(out.options.insert(key.clone(), value.clone())),
                    Err(problem) => out.problems.push(problem),
                }
            }
        }
        None | Some(Value::Null) => {}
        Some(other) => {
            let message = format!("options of the recording: expected a map, found {}", kind_name(other));
            out.problems.push(Problem::new(message));
        }
    }
    Some(out)
}
