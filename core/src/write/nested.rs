//! Runs of other agents: spelled out where they happened, or named there and written once under `nested`.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::text::{JsonMap, Set, Table, content_key, json_line};

/// Which runs are spelled out in the results they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestedMode {
    /// All of them.
    Inline,
    /// None: each is named, and written once under `nested`.
    Reference,
    /// Runs with no more than so many bytes as JSON on one line.
    Above(usize),
}

/// The files and limits of [`nested`].
#[derive(Clone, Debug)]
pub struct Nesting<'f> {
    /// Which runs are spelled out.
    pub mode: NestedMode,
    /// The runs of other files, by their path in the data, with everything in place.
    pub files: &'f Table<String, Arc<Value>>,
    /// The maximum total size of runs put in place, in bytes of JSON.
    pub bytes: usize,
}

/// The maximum depth of nested runs put in place.
const DEPTH: usize = 32;
/// The maximum nesting of lists and maps in the result.
const LEVELS: usize = 200;

/// A full transcript's data with its nested runs inline (`nested_transcript`) or named
/// (`nested_transcript_ref`), according to the mode.
///
/// Runs get the ids `nested_001` and so on, in order of first occurrence, outer runs before inner ones;
/// equal runs get one. A run that cannot be put in place stays named: a missing one, one that contains
/// itself, or one beyond the limits.
///
/// ```
/// use transcript_core::text::Table;
/// use serde_json::json;
/// use transcript_core::write::{NestedMode, Nesting, nested};
/// let files = Table::new();
/// let nesting = |mode| Nesting { mode, files: &files, bytes: 1000 };
/// let result = json!({"nested_transcript": {"execution": []}});
/// let data = json!({"execution": [{"tool_call": {"tool_name": "lookup", "result": result}}]});
/// let named = nested(&data, &nesting(NestedMode::Reference));
/// assert_eq!(named["execution"][0]["tool_call"]["result"]["nested_transcript_ref"], "#nested_001");
/// assert_eq!(named["nested"]["nested_001"], json!({"execution": []}));
/// assert_eq!(nested(&named, &nesting(NestedMode::Inline)), data);
/// ```
#[must_use]
pub fn nested(value: &Value, nesting: &Nesting<'_>) -> Value {
    let mut inliner = Inliner {
        files: nesting.files,
        left: nesting.bytes,
        scopes: Vec::new(),
        open: Vec::new(),
        used: Vec::new(),
        is_whole: true,
        depth: 0,
        is_too_deep: false,
    };
    let whole = inliner.run(value);
    let most = match nesting.mode {
        NestedMode::Inline => return whole,
        NestedMode::Reference => 0,
        NestedMode::Above(bytes) => bytes,
    };
    let taken = whole.get("nested").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut namer = Namer { most, taken, ids: Table::new(), runs: Map::new(), next: 0 };
    let mut out = namer.walk(&whole);
    if let (Value::Object(entries), false) = (&mut out, namer.runs.is_empty()) {
        match entries.get_mut("nested") {
            Some(Value::Object(nested)) => nested.extend(namer.runs),
            _ => {
                entries.put("nested", Value::Object(namer.runs));
            }
        }
    }
    out
}

struct Inliner<'v> {
    files: &'v Table<String, Arc<Value>>,
    left: usize,
    /// The maps `nested` of the runs around the present place, the innermost last.
    scopes: Vec<&'v Map<String, Value>>,
    /// The runs that are being put in place.
    open: Vec<*const Value>,
    /// The ids that were put in place, by their scope.
    used: Vec<Set<&'v str>>,
    /// Whether everything was put in place so far.
    is_whole: bool,
    /// How many lists and maps are around the present place.
    depth: usize,
    /// Whether the run that is being put in place would be too deep.
    is_too_deep: bool,
}

impl<'v> Inliner<'v> {
    /// A run, with its own `nested` in scope.
    fn run(&mut self, value: &'v Value) -> Value {
        let Some(own) = value.get("nested").and_then(Value::as_object) else { return self.walk(value, None) };
        let before = std::mem::replace(&mut self.is_whole, true);
        self.scopes.push(own);
        self.used.push(Set::new());
        let mut out = self.walk(value, Some("nested"));
        self.scopes.pop();
        let used = self.used.pop().unwrap_or_default();
        // Any of them may name a run that stays named, so all stay together.
        let is_whole = std::mem::replace(&mut self.is_whole, before);
        self.is_whole &= is_whole;
        if let Some(entries) = out.as_object_mut().filter(|_| is_whole)
            && let Some(Value::Object(own)) = entries.get_mut("nested")
        {
            own.retain(|id, _| !used.contains(id.as_str()));
            if own.is_empty() {
                entries.shift_remove("nested");
            }
        }
        out
    }

    fn walk(&mut self, value: &'v Value, skip: Option<&str>) -> Value {
        // An inserted run must not make the data deeper than readers accept.
        if !self.open.is_empty() && self.depth >= LEVELS {
            self.is_too_deep = true;
            return Value::Null;
        }
        self.depth += 1;
        let out = self.level(value, skip);
        self.depth -= 1;
        out
    }

    fn level(&mut self, value: &'v Value, skip: Option<&str>) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.walk(item, None)).collect(),
            Value::Object(entries) => {
                let mut out = Map::new();
                let is_spelled_out = entries.contains_key("nested_transcript");
                for (key, entry) in entries {
                    match (key.as_str(), entry) {
                        (key, _) if skip == Some(key) => {
                            out.put(key, entry.clone());
                        }
                        ("nested_transcript", _) => {
                            out.insert(key.clone(), self.run(entry));
                        }
                        ("nested_transcript_ref", Value::String(name)) if !is_spelled_out => {
                            match self.named(name) {
                                Some(run) => out.put("nested_transcript", run),
                                None => {
                                    self.is_whole = false;
                                    out.put(key, entry.clone());
                                }
                            };
                        }
                        _ => {
                            out.insert(key.clone(), self.walk(entry, None));
                        }
                    }
                }
                Value::Object(out)
            }
            other => other.clone(),
        }
    }

    /// The run of that name with the runs in it in their places.
    fn named(&mut self, name: &str) -> Option<Value> {
        let Some(id) = name.strip_prefix('#') else {
            let run = self.files.get(name)?;
            return self.has_room(run).then(|| (**run).clone());
        };
        let level = self.scopes.iter().rposition(|scope| scope.contains_key(id))?;
        let (id, run) = self.scopes.get(level)?.get_key_value(id)?;
        let place: *const Value = run;
        if self.open.contains(&place) || self.open.len() >= DEPTH {
            return None;
        }
        if !self.has_room(run) {
            return None;
        }
        // The run is in the scope of its declaration, so it sees only names that are visible there.
        let (scopes, used) = (self.scopes.split_off(level + 1), self.used.split_off(level + 1));
        self.open.push(place);
        let out = self.run(run);
        self.open.pop();
        self.scopes.extend(scopes);
        self.used.extend(used);
        if std::mem::take(&mut self.is_too_deep) {
            return None;
        }
        if let Some(used) = self.used.get_mut(level) {
            used.insert(id);
        }
        Some(out)
    }

    /// Whether one more run may be put in place. Beyond the limit, the rest stays named: measuring each
    /// would take as long as writing it.
    fn has_room(&mut self, run: &Value) -> bool {
        if self.left > 0 {
            self.left = self.left.saturating_sub(json_line(run).len());
        }
        self.left > 0
    }
}

struct Namer {
    most: usize,
    taken: Map<String, Value>,
    /// The ids by the hash of the run.
    ids: Table<String, String>,
    runs: Map<String, Value>,
    next: usize,
}

impl Namer {
    fn walk(&mut self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.walk(item)).collect(),
            Value::Object(entries) => {
                let mut out = Map::new();
                let is_named = entries.contains_key("nested_transcript_ref");
                for (key, entry) in entries {
                    let is_run = key == "nested_transcript" && entry.is_object() && !is_named;
                    if is_run && json_line(entry).len() > self.most {
                        let name = format!("#{}", self.name(entry));
                        out.put("nested_transcript_ref", name.into());
                    } else {
                        out.insert(key.clone(), self.walk(entry));
                    }
                }
                Value::Object(out)
            }
            other => other.clone(),
        }
    }

    /// The id of a run, which is under `nested` from then on.
    fn name(&mut self, run: &Value) -> String {
        let hash = content_key(run);
        if let Some(id) = self.ids.get(&hash) {
            return id.clone();
        }
        let id = loop {
            self.next += 1;
            let id = format!("nested_{:03}", self.next);
            if !self.taken.contains_key(&id) {
                break id;
            }
        };
        self.ids.insert(hash, id.clone());
        // Its place in the order is before the runs in it.
        self.runs.insert(id.clone(), Value::Null);
        let inside = self.walk(run);
        self.runs.insert(id.clone(), inside);
        id
    }
}
