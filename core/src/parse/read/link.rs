//! Puts runs that results name in place of the names.

use std::sync::Arc;

use serde_json::Value;

use super::{Fill, transcript};
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest_id, codes, quoted};
use crate::model::{Spanned, Text, Transcript};
use crate::parse::{Limits, Node, RAISE_BYTES};
use crate::text::Table;

/// The runs of other files by path, or the error.
pub type Files = Table<String, Result<FileRun, FileError>>;

/// Why a file has no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file of that path names itself, directly or through others.
    NamesItself(String),
    /// Files name each other more than so deep.
    TooDeep(usize),
    /// The file of that path holds no transcript.
    NoTranscript(String),
    /// The first of the gravest faults in it.
    Fault(String),
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NamesItself(path) => {
                write!(f, "the file `{path}` refers to itself")
            }
            Self::TooDeep(most) => {
                write!(f, "references between files are nested more than {most} levels deep")
            }
            Self::NoTranscript(path) => write!(f, "`{path}` is not a transcript"),
            Self::Fault(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for FileError {}

/// The run of another file.
#[derive(Clone, Debug)]
pub struct FileRun {
    /// The full data, with everything in place.
    pub data: Arc<Value>,
    /// About how many bytes it has as JSON.
    pub bytes: usize,
}

/// The maximum depth of nested runs that are put in place.
const DEPTH: usize = 32;

/// The path of a file `name` in a file of `folder`, both with `/` and relative to one place; `None`
/// when the name is no relative path.
///
/// ```
/// use transcript_core::parse::read::resolve_path;
/// assert_eq!(resolve_path("runs", "./parts/../a.yaml").as_deref(), Some("runs/a.yaml"));
/// assert_eq!(resolve_path("", "../a.yaml").as_deref(), Some("../a.yaml"));
/// assert_eq!(resolve_path("", "/a.yaml"), None);
/// ```
#[must_use]
pub fn resolve_path(folder: &str, name: &str) -> Option<String> {
    // A colon belongs to an address or to a drive, a backslash to one system only.
    if name.is_empty() || name.starts_with('/') || name.contains([':', '\\']) {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The files named by results of a run and its nested runs, with their places, in order.
#[must_use]
pub fn named_files(run: &Transcript) -> Vec<Spanned<Text>> {
    let mut found = Vec::new();
    collect(run, &mut found);
    found
}

fn collect(run: &Transcript, found: &mut Vec<Spanned<Text>>) {
    for tool in run.turns.iter().filter_map(|turn| turn.tool.as_ref()) {
        match (&tool.nested_ref, &tool.nested) {
            (Some(name), _) if !name.value.starts_with('#') => found.push(name.clone()),
            (None, Some(inside)) => collect(inside, found),
            _ => {}
        }
    }
    for (_, inside) in &run.nested {
        collect(inside, found);
    }
}

/// Puts the runs that results name in place, and reports those that cannot be.
///
/// `#id` is searched under `nested` of its own run, then of the run around that. A path names one of
/// `files`, relative to `folder`. `root` is the tree that the run was read from. All runs put in place
/// together may be as large as the limits let a document be.
pub fn link(
    run: &mut Transcript,
    root: &Node,
    folder: &str,
    files: &Files,
    limits: &Limits,
) -> Vec<Diagnostic> {
    let mut linker = Linker { folder, files, limits, scopes: Vec::new(), depth: 0, found: Vec::new() };
    linker.run(run, root, &mut 0);
    linker.found
}

struct Linker<'a> {
    folder: &'a str,
    files: &'a Files,
    limits: &'a Limits,
    /// The entries of `nested` of the runs around the present place, the innermost last.
    scopes: Vec<Table<Text, Slot>>,
    /// How many runs are waiting for one that they name.
    depth: usize,
    found: Vec<Diagnostic>,
}

enum Slot {
    Waiting(Arc<Transcript>, Node),
    /// Its run is being put in place.
    Open,
    Done(Linked),
}

/// A run with everything in place.
#[derive(Clone)]
struct Linked {
    run: Arc<Transcript>,
    /// About how large it is.
    bytes: usize,
    /// How many runs are within each other in it, itself counted.
    height: usize,
}

impl Linker<'_> {
    /// Links a run, adds the inserted bytes to `bytes`, and returns its height.
    fn run(&mut self, run: &mut Transcript, node: &Node, bytes: &mut usize) -> usize {
        let nodes = node.get("nested").map(Node::entries).unwrap_or_default();
        let mut slots = Table::new();
        let mut ids = Vec::with_capacity(run.nested.len());
        for ((id, inside), entry) in std::mem::take(&mut run.nested).into_iter().zip(nodes) {
            slots.insert(id.value.clone(), Slot::Waiting(inside, entry.value.clone()));
            ids.push(id);
        }
        self.scopes.push(slots);
        for id in &ids {
            self.slot(self.scopes.len() - 1, &id.value);
        }
        let mut height = 0;
        let turns = node.get("execution").map(Node::items).unwrap_or_default();
        // A compact document has no list of its turns, and nested runs in them have no places of their own.
        let turns = turns.iter().map(Some).chain(std::iter::repeat(None));
        for (turn, node) in run.turns.iter_mut().zip(turns) {
            let Some(tool) = &mut turn.tool else { continue };
            if let Some(name) = &tool.nested_ref {
                if let Some(linked) = self.named(name, bytes) {
                    height = height.max(linked.height);
                    tool.nested = Some(linked.run);
                }
            } else if let Some(inside) = tool.nested.as_mut().and_then(Arc::get_mut) {
                let result = node.and_then(|node| node.get("tool_call")?.get("result"));
                let written = result.and_then(|result| result.get("nested_transcript"));
                let from_result = || Some(Node::from_value(tool.result.get("nested_transcript")?, tool.span));
                if let Some(node) = written.cloned().or_else(from_result) {
                    height = height.max(self.run(inside, &node, bytes));
                }
            }
        }
        let mut slots = self.scopes.pop().unwrap_or_default();
        run.nested.extend(ids.into_iter().filter_map(|id| match slots.remove(&id.value)? {
            Slot::Waiting(inside, _) | Slot::Done(Linked { run: inside, .. }) => Some((id, inside)),
            Slot::Open => None,
        }));
        height + 1
    }

    /// The run under `nested` at that level, linked; `None` while it is being linked.
    fn slot(&mut self, level: usize, id: &Text) -> Option<Linked> {
        let slot = self.scopes.get_mut(level)?.get_mut(id)?;
        let (mut run, node) = match std::mem::replace(slot, Slot::Open) {
            Slot::Waiting(run, node) => (run, node),
            Slot::Open => return None,
            Slot::Done(linked) => {
                *slot = Slot::Done(linked.clone());
                return Some(linked);
            }
        };
        // The run is in the scope of its declaration, so it sees only names that are visible there.
        let inner = self.scopes.split_off(level + 1);
        let mut bytes = node.extent().0;
        let mut height = 1;
        self.depth += 1;
        if let Some(run) = Arc::get_mut(&mut run) {
            height = self.run(run, &node, &mut bytes);
        }
        self.depth -= 1;
        self.scopes.extend(inner);
        let linked = Linked { run, bytes, height };
        self.scopes.get_mut(level)?.insert(id.clone(), Slot::Done(linked.clone()));
        Some(linked)
    }

    /// The run of that name, if it exists and fits.
    fn named(&mut self, name: &Spanned<Text>, bytes: &mut usize) -> Option<Linked> {
        let linked = match name.value.strip_prefix('#') {
            Some(id) => self.by_id(name, id)?,
            None => self.file(name, *bytes)?,
        };
        if linked.height >= DEPTH {
            self.too_deep(name);
            return None;
        }
        let sum = self.room(name, *bytes, linked.bytes)?;
        *bytes = sum;
        Some(linked)
    }

    /// The bytes in place with those of one more run, if within the limit.
    fn room(&mut self, name: &Spanned<Text>, bytes: usize, more: usize) -> Option<usize> {
        let sum = bytes.saturating_add(more);
        if sum > self.limits.bytes {
            let message = format!(
                "with all nested runs inserted, the document has more than {} bytes",
                self.limits.bytes
            );
            let help = format!("refer to large runs less often, or {RAISE_BYTES}");
            let found = Diagnostic::new(codes::TOO_LARGE, Severity::Error, name.span, message);
            self.found.push(found.help(help));
            return None;
        }
        Some(sum)
    }

    fn by_id(&mut self, name: &Spanned<Text>, id: &str) -> Option<Linked> {
        let Some(level) = self.scopes.iter().rposition(|scope| scope.contains_key(id)) else {
            // A misspelt name is only compared with a few others.
            let near = self.scopes.iter().flat_map(Table::keys).take(100);
            let meant = closest_id(id, near.map(|id| &**id)).map(str::to_owned);
            let message = format!("unknown run `{id}` in `nested`");
            self.unknown(name, Severity::Error, message, "add the run to `nested` with this id");
            self.meant(name, meant.as_deref());
            return None;
        };
        let is_waiting =
            self.scopes.get(level).is_some_and(|scope| matches!(scope.get(id), Some(Slot::Waiting(..))));
        if is_waiting && self.depth >= DEPTH {
            self.too_deep(name);
            return None;
        }
        let linked = self.slot(level, &id.into());
        if linked.is_none() {
            let message = format!("the run `{id}` refers to itself");
            self.unknown(name, Severity::Error, message, "remove the reference");
        }
        linked
    }

    fn file(&mut self, name: &Spanned<Text>, bytes: usize) -> Option<Linked> {
        let path = &name.value;
        let Some(found) = resolve_path(self.folder, path).map(|place| self.files.get(&place)) else {
            let message = format!("`{path}` is neither a relative path nor an id with `#`");
            self.unknown(name, Severity::Error, message, "use a relative path, with `/` between folders");
            self.meant_id(name);
            return None;
        };
        match found {
            Some(Ok(found)) => {
                // Refused before it is read, since a large one may be named often.
                self.room(name, bytes, found.bytes)?;
                let node = Node::from_value(&found.data, name.span);
                // Everything is in place; remaining names were reported there.
                let run = Arc::new(transcript(&node, Fill::Nothing));
                Some(Linked { height: height(&run), run, bytes: found.bytes })
            }
            Some(Err(reason)) => {
                let help = "use the file of a transcript";
                self.unknown(name, Severity::Error, reason.to_string(), help);
                None
            }
            None => {
                let message = format!("the file `{path}` is not available, so its run cannot be shown");
                self.unknown(name, Severity::Warning, message, HELP_NOT_PROVIDED);
                self.meant_id(name);
                None
            }
        }
    }

    /// Adds to the last finding, about `name`, that a run under `nested` was meant, if one has the whole
    /// name as its id.
    fn meant_id(&mut self, name: &Spanned<Text>) {
        let is_id = self.scopes.iter().any(|scope| scope.contains_key(&*name.value));
        self.meant(name, is_id.then_some(&*name.value));
    }

    /// Adds to the last finding, about `name`, the id under `nested` that was probably meant.
    fn meant(&mut self, name: &Spanned<Text>, id: Option<&str>) {
        let Some(id) = id else { return };
        let Some(last) = self.found.pop() else { return };
        let title = format!("write `#{id}`");
        let found = last.help(format!("did you mean `#{id}` in `nested`?"));
        // In shorthand the place is that of the whole result.
        let (start, end) = (name.span.start as usize, name.span.end as usize);
        if end - start > name.value.len() + 2 {
            return self.found.push(found);
        }
        self.found.push(found.fix(Applicability::Suggested, title, name.span, quoted(&format!("#{id}"))));
    }

    fn too_deep(&mut self, name: &Spanned<Text>) {
        let message = format!("references to runs are nested more than {DEPTH} levels deep");
        self.unknown(name, Severity::Error, message, "nest fewer runs");
    }

    fn unknown(&mut self, name: &Spanned<Text>, severity: Severity, message: String, help: &str) {
        self.found.push(Diagnostic::new(codes::UNKNOWN_NESTED, severity, name.span, message).help(help));
    }
}

/// The help for a named file that was not provided: only the caller knows the reason.
pub const HELP_NOT_PROVIDED: &str =
    "pass the file with this document, and check that it exists in the folder that is read";

/// How many runs are within each other, the outermost counted.
fn height(run: &Transcript) -> usize {
    let inside = run.turns.iter().filter_map(|turn| turn.tool.as_ref()?.nested.as_deref());
    inside.map(height).max().unwrap_or(0) + 1
}
