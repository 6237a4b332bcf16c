//! How strictly a replay compares.

use serde_json::Value;

use super::path::{PathPattern, Root};
use crate::diagnostic::InvalidInput;

/// How a replay compares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The ignored differences.
    pub ignore: Ignore,
    /// The parts compared in addition to the messages.
    pub request: RequestParts,
    /// Whether calls may come in another order than recorded, as those of parallel agents do. Equal requests
    /// get the recorded answers in order.
    pub any_order: bool,
    /// Whether recorded calls may remain at the end.
    pub allow_leftover: bool,
    /// Whether a call without a recorded request accepts any request; unless set, such a run is not replayed.
    pub allow_unrecorded: bool,
}

/// Which parts of a request are compared in addition to its messages, as far as the recording has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestParts {
    /// The name of the model.
    pub model: bool,
    /// Settings of the model, such as its temperature.
    pub settings: bool,
    /// The tools that it may call.
    pub tools: bool,
}

/// What a comparison ignores. The order of keys, provider options and the ids of messages are not in the
/// canonical form, and are never compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignore {
    /// The ids of calls, as long as an agent uses each one consistently.
    pub ids: bool,
    /// Points in time in texts, as ISO 8601 writes them.
    pub timestamps: bool,
    /// The amount of white space between words.
    pub whitespace: bool,
    /// The order of parallel results is compared too; it is ignored unless this is set.
    pub keep_result_order: bool,
    /// The error texts of two failed tools are compared too; they are ignored unless this is set.
    pub keep_error_text: bool,
    /// Places that are ignored, with everything below them.
    pub paths: Vec<PathPattern>,
}

/// The words of `ignore`, each with its effect.
pub const IGNORES: [(&str, &str); 6] = [
    ("ids", "call ids, if each is used consistently"),
    ("timestamps", "timestamps in texts"),
    ("whitespace", "the amount of white space"),
    ("result_order", "the order of parallel tool results; ignored unless listed in `compare`"),
    ("error_text", "the messages of failed tools; ignored unless listed in `compare`"),
    ("provider_options", "provider-specific data; never compared"),
];

/// The words of `compare`.
const COMPARES: [&str; 5] = ["result_order", "error_text", "model", "settings", "tools"];

impl Settings {
    /// Reads `{ignore: [...], compare: [...], order: "sequence" | "any", leftover: "fail" | "allow",
    /// unrecorded: "fail" | "allow"}`.
    /// An entry of `ignore` is one of [`IGNORES`] or a path such as `messages[*].tool_calls[*].arguments.now`; one of
    /// `compare` is `result_order`, `error_text`, `model`, `settings` or `tools`.
    ///
    /// # Errors
    /// When a key or a word is unknown, or a path matches nothing that a model is sent.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::replay::Settings;
    /// let settings = Settings::from_value(&json!({"ignore": ["ids"], "leftover": "allow"})).unwrap();
    /// assert!(settings.ignore.ids && settings.allow_leftover && !settings.any_order);
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, InvalidInput> {
        Self::read(value, Root::Messages)
    }

    /// Reads the same settings for mocked tools; paths begin with `arguments`.
    ///
    /// # Errors
    /// As of [`Self::from_value`], and when a path can name nothing in a call.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::replay::Settings;
    /// assert!(Settings::for_tools(&json!({"ignore": ["arguments.now"]})).is_ok());
    /// assert!(Settings::for_tools(&json!({"ignore": ["messages[0].content"]})).is_err());
    /// ```
    pub fn for_tools(value: &Value) -> Result<Self, InvalidInput> {
        Self::read(value, Root::Arguments)
    }

    fn read(value: &Value, root: Root) -> Result<Self, InvalidInput> {
        let mut settings = Self::default();
        let entries = match value {
            Value::Null => return Ok(settings),
            Value::Object(entries) => entries,
            _ => return Err(InvalidInput::from("replay settings: expected a map")),
        };
        for (key, value) in entries {
            match key.as_str() {
                _ if value.is_null() => {}
                "ignore" => {
                    read_texts("ignore", value)?.try_for_each(|word| settings.add_ignore(word?, root))?
                }
                "compare" => read_texts("compare", value)?.try_for_each(|word| {
                    *match word? {
                        "result_order" => &mut settings.ignore.keep_result_order,
                        "error_text" => &mut settings.ignore.keep_error_text,
                        "model" => &mut settings.request.model,
                        "settings" => &mut settings.request.settings,
                        "tools" => &mut settings.request.tools,
                        other => return Err(unknown_value("compare", other, COMPARES)),
                    } = true;
                    Ok(())
                })?,
                "order" => settings.any_order = read_choice("order", value, ["sequence", "any"])?,
                "unrecorded" => {
                    settings.allow_unrecorded = read_choice("unrecorded", value, ["fail", "allow"])?;
                }
                "leftover" => settings.allow_leftover = read_choice("leftover", value, ["fail", "allow"])?,
                other => {
                    let keys = ["ignore", "compare", "order", "leftover", "unrecorded"];
                    return Err(unknown_value("a replay's settings", other, keys));
                }
            }
        }
        Ok(settings)
    }

    fn add_ignore(&mut self, word: &str, root: Root) -> Result<(), InvalidInput> {
        match word {
            "ids" => self.ignore.ids = true,
            "timestamps" => self.ignore.timestamps = true,
            "whitespace" => self.ignore.whitespace = true,
            "result_order" => self.ignore.keep_result_order = false,
            "error_text" => self.ignore.keep_error_text = false,
            "provider_options" => {}
            path if path.contains(['.', '[']) => {
                let wrong =
                    |why: InvalidInput| InvalidInput::from(format!("`ignore` has the path `{path}`: {why}"));
                let read = PathPattern::new(path).map_err(wrong)?;
                root.check(&read, path).map_err(wrong)?;
                self.ignore.paths.push(read);
            }
            "messages" | "arguments" => {
                return Err(InvalidInput::from(format!(
                    "`{word}` cannot be ignored as a whole; use a path in it, such as `{}`",
                    root.example()
                )));
            }
            other => return Err(unknown_value("ignore", other, IGNORES.map(|(name, _)| name))),
        }
        Ok(())
    }
}

/// The texts of a list, or the one text.
fn read_texts<'v>(
    key: &'static str,
    value: &'v Value,
) -> Result<impl Iterator<Item = Result<&'v str, InvalidInput>>, InvalidInput> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        Value::String(_) => std::slice::from_ref(value),
        _ => return Err(InvalidInput::from(format!("`{key}`: expected a list of strings"))),
    };
    let word = move |item: &'v Value| {
        item.as_str().ok_or_else(|| InvalidInput::from(format!("`{key}`: expected a list of strings")))
    };
    Ok(items.iter().map(word))
}

/// Whether the second of two words is chosen.
fn read_choice(key: &str, value: &Value, words: [&'static str; 2]) -> Result<bool, InvalidInput> {
    match value.as_str() {
        Some(word) if word == words[0] => Ok(false),
        Some(word) if word == words[1] => Ok(true),
        Some(other) => Err(unknown_value(key, other, words)),
        None => Err(InvalidInput::from(format!("`{key}`: expected a string"))),
    }
}

fn unknown_value<const N: usize>(of: &str, word: &str, known: [&'static str; N]) -> InvalidInput {
    let hint = format!("use one of {}", known.map(|word| format!("`{word}`")).join(", "));
    InvalidInput::unknown(format!("unknown value `{word}` for {of}"), word, known).or_hint(&hint)
}
