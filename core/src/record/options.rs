//! How a recorder records.

use serde_json::{Map, Value};

use super::Problem;
use crate::diagnostic::closest;
use crate::encoding::python;
use crate::text::Table;
use crate::text::{kind_name, text_or_json};

/// Which ids messages get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ulids {
    /// The host's own. A message with a ULID as its id, or an id that is hard to write, gets a short id, and
    /// keeps its own as `ulid`.
    #[default]
    Keep,
    /// `msg_001` and on; the host's are left out.
    Drop,
}

/// How the content of a tool's message is written if the host provides none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Serializer {
    /// A text unchanged, other data as JSON on one line.
    #[default]
    Json,
    /// A text unchanged, numbers and truth values bare, null as nothing, other data as JSON.
    Text,
    /// The result of `str` in Python.
    Python,
}

impl Serializer {
    /// The result as content.
    pub(super) fn content(self, result: &Value) -> Value {
        match (self, result) {
            (Serializer::Python, _) => python::str(result).into(),
            (Serializer::Text, Value::Null) => "".into(),
            _ => text_or_json(result).into(),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        match name {
            "json" => Some(Serializer::Json),
            "text" => Some(Serializer::Text),
            "python" => Some(Serializer::Python),
            _ => None,
        }
    }
}

/// Where the runs of nested agents are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NestedFiles {
    /// In the result of the call that they carry out.
    #[default]
    Inline,
    /// In separate files when they have more than so many bytes as JSON; the result names the file.
    Above(usize),
}

/// How a recorder records.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The name of the recording in a journal with several.
    pub recording: Option<String>,
    /// The name of the transcript; that of the files of nested runs follows from it.
    pub name: Option<String>,
    /// Its creation time, as the host reports it.
    pub created: Option<String>,
    /// Further entries of `metadata`.
    pub metadata: Map<String, Value>,
    /// How the outermost agent is set up: model, settings, tools.
    pub config: Map<String, Value>,
    /// The context of the outermost agent at the begin of the run.
    pub context: Map<String, Value>,
    /// Which ids messages get.
    pub ulids: Ulids,
    /// Whether the compact form is written where it can express all that was recorded.
    pub compact: bool,
    /// Whether the pieces of streamed answers are kept.
    pub chunks: bool,
    /// How the content of a tool's messages is written, by tool.
    pub serializers: Table<String, Serializer>,
    /// How that of all others is written.
    pub serializer: Serializer,
    /// Where the runs of nested agents are written.
    pub nested: NestedFiles,
    /// The maximum size of kept facts in bytes, roughly as in memory.
    pub max_bytes: usize,
    /// Whether the events between agents are derived: [`super::Recorder::agent_events`].
    pub events: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            recording: None,
            name: None,
            created: None,
            metadata: Map::new(),
            config: Map::new(),
            context: Map::new(),
            ulids: Ulids::default(),
            compact: false,
            chunks: false,
            serializers: Table::new(),
            serializer: Serializer::default(),
            nested: NestedFiles::default(),
            max_bytes: 256 << 20,
            events: false,
        }
    }
}

/// The options by their names in data.
const NAMES: [&str; 14] = [
    "recording",
    "name",
    "created",
    "metadata",
    "config",
    "context",
    "ulids",
    "compact",
    "chunks",
    "serializers",
    "serializer",
    "nested",
    "maxBytes",
    "events",
];

impl Options {
    /// Reads options: `{recording?, name?, created?, metadata?, config?, context?, ulids?: "keep" | "drop", compact?,
    /// chunks?, serializer?: "json" | "text" | "python", serializers?: {tool: serializer}, nested?: "inline" or
    /// the number of bytes above which a nested run has its own file, maxBytes?, events?}`.
    ///
    /// # Errors
    /// The first unknown option, or the first with an invalid value.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::record::{Options, Ulids};
    /// let options = Options::from_value(&json!({"name": "weather", "ulids": "drop"})).unwrap();
    /// assert_eq!((options.name.as_deref(), options.ulids), (Some("weather"), Ulids::Drop));
    /// assert!(Options::from_value(&json!({"ulid": true})).unwrap_err().to_string().contains("`ulids`"));
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, Problem> {
        let mut options = Self::default();
        let Value::Object(entries) = value else {
            return match value {
                Value::Null => Ok(options),
                other => Err(Problem::new(format!("options: expected a map, found {}", kind_name(other)))),
            };
        };
        for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
            options.set(key, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), Problem> {
        let wrong = |wanted: &str| Problem::new(format!("option `{key}`: expected {wanted}"));
        let text = || value.as_str().map(str::to_owned).ok_or_else(|| wrong("a string"));
        let map = || value.as_object().cloned().ok_or_else(|| wrong("a map"));
        let flag = || value.as_bool().ok_or_else(|| wrong("a boolean"));
        let bytes = || value.as_u64().and_then(|bytes| usize::try_from(bytes).ok());
        let serializer = |value: &Value| {
            let found = value.as_str().and_then(Serializer::from_name);
            found.ok_or_else(|| wrong("`json`, `text` or `python`"))
        };
        match key {
            "recording" => self.recording = Some(text()?),
            "name" => self.name = Some(text()?),
            "created" => self.created = Some(text()?),
            "metadata" => self.metadata = map()?,
            "config" => self.config = map()?,
            "context" => self.context = map()?,
            "compact" => self.compact = flag()?,
            "chunks" => self.chunks = flag()?,
            "events" => self.events = flag()?,
            "ulids" => {
                self.ulids = match value.as_str() {
                    Some("keep") => Ulids::Keep,
                    Some("drop") => Ulids::Drop,
                    _ => return Err(wrong("`keep` or `drop`")),
                }
            }
            "serializer" => self.serializer = serializer(value)?,
            "serializers" => {
                for (tool, value) in &map()? {
                    self.serializers.insert(tool.clone(), serializer(value)?);
                }
            }
            "nested" => {
                self.nested = match (value.as_str(), bytes()) {
                    (Some("inline"), _) => NestedFiles::Inline,
                    (_, Some(bytes)) => NestedFiles::Above(bytes),
                    _ => return Err(wrong("`inline` or a number of bytes")),
                }
            }
            "maxBytes" | "max_bytes" => {
                self.max_bytes = bytes().ok_or_else(|| wrong("a number of bytes"))?;
            }
            other => {
                let problem = Problem::new(format!("unknown option `{other}`"));
                return Err(match closest(other, NAMES) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem,
                });
            }
        }
        Ok(())
    }

    /// How the content of a tool's message is written.
    pub(super) fn serializer_of(&self, tool: &str) -> Serializer {
        self.serializers.get(tool).copied().unwrap_or(self.serializer)
    }
}
