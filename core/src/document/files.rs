//! Files that nested runs are read from.

use crate::parse::Parsed;
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::open::Document;
use super::options::Options;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{Spanned, Text};
use crate::parse::read::{FileError, FileRun, Files, resolve_path};
use crate::text::{LineIndex, Set, Span, Table};

/// A file that a document names, directly or through another file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileReference {
    /// Its path relative to the document, with `/` between folders: the key under which the options have
    /// its text.
    pub path: String,
    /// Whether its text was provided.
    pub provided: bool,
    /// The line of the reference in the document, from 1; for a file named by another file, of the
    /// reference to the latter.
    pub line: u32,
    /// The column in it, in Unicode scalar values from 1.
    pub column: u32,
    /// Where the reference starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends.
    pub end_offset: u32,
}

/// The most files within each other.
const DEPTH: usize = 16;

/// The files of one document and of those that it names, each opened once.
pub(super) struct Opening<'o> {
    pub options: &'o Options,
    /// The folder of the file that is being opened, relative to the document.
    pub folder: String,
    /// The files that are being opened, the outermost first.
    open: Vec<String>,
    known: Table<String, Rc<OpenedFile>>,
    /// The outermost text as it was read, where that was done before.
    pub read: Option<Parsed>,
}

/// The result of opening a file.
struct OpenedFile {
    run: Result<FileRun, FileError>,
    /// What is wrong in it, to be reported at the reference.
    fault: Option<FileFault>,
    /// The files that it names in turn, by path, and whether each was provided.
    names: Vec<(String, bool)>,
}

/// The worst fault in a file, in short.
struct FileFault {
    severity: Severity,
    /// The rule of the gravest fault; for an error, that the run is unusable.
    code: &'static str,
    message: String,
    help: String,
}

/// The files that a document names.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedFiles {
    /// By path relative to the outermost document.
    pub files: Files,
    /// By path as written.
    pub runs: Table<String, Arc<Value>>,
    pub references: Vec<FileReference>,
    pub found: Vec<Diagnostic>,
}

impl<'o> Opening<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self { options, folder: String::new(), open: Vec::new(), known: Table::new(), read: None }
    }

    /// Opens the files of these names, which are in one document.
    pub(super) fn open_named(
        &mut self,
        names: &[Spanned<Text>],
        lines: &LineIndex,
        text: &str,
    ) -> NamedFiles {
        let mut named = NamedFiles::default();
        let mut listed = Set::new();
        for name in names {
            let Some(path) = resolve_path(&self.folder, &name.value) else { continue };
            let known = self.file(&path);
            let place = lines.position(text, name.span.start as usize);
            let mut refer = |path: &str, provided: bool| {
                if listed.insert(path.to_owned()) {
                    named.references.push(FileReference {
                        path: path.to_owned(),
                        provided,
                        line: place.line,
                        column: place.column,
                        offset: name.span.start,
                        end_offset: name.span.end,
                    });
                }
            };
            let Some(known) = known else {
                refer(&path, false);
                continue;
            };
            // A file that is named again has listed its own names already.
            if !named.files.contains_key(&path) {
                refer(&path, true);
                known.names.iter().for_each(|(path, provided)| refer(path, *provided));
            }
            if let Some(fault) = &known.fault {
                let found = Diagnostic::new(fault.code, fault.severity, name.span, &*fault.message);
                named.found.push(found.help(&*fault.help));
            }
            if let Ok(run) = &known.run {
                named.runs.insert(name.value.to_string(), run.data.clone());
            }
            named.files.insert(path, known.run.clone());
        }
        named
    }

    /// The opened file; `None` when its text was not provided.
    fn file(&mut self, path: &str) -> Option<Rc<OpenedFile>> {
        if let Some(known) = self.known.get(path) {
            return Some(known.clone());
        }
        let refused = |why| Rc::new(OpenedFile { run: Err(why), fault: None, names: Vec::new() });
        if self.open.iter().any(|open| open == path) {
            return Some(refused(FileError::NamesItself(path.to_owned())));
        }
        let options = self.options;
        let text = options.files.get(path)?;
        if self.open.len() >= DEPTH {
            return Some(refused(FileError::TooDeep(DEPTH)));
        }
        self.open.push(path.to_owned());
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let before = std::mem::replace(&mut self.folder, folder.clone());
        let document = Document::open_in(text, self);
        self.folder = before;
        self.open.pop();
        let known = Rc::new(open_file(path, &folder, &document));
        self.known.insert(path.to_owned(), known.clone());
        Some(known)
    }
}

fn open_file(path: &str, folder: &str, document: &Document) -> OpenedFile {
    let fault = file_fault(path, document);
    let names = document.references().iter().map(|name| (name.path.clone(), name.provided)).collect();
    match document.whole() {
        Some(mut data) => {
            rebase(&mut data, folder);
            let bytes = crate::parse::Node::from_value(&data, Span::empty(0)).extent().0;
            OpenedFile { run: Ok(FileRun { data: Arc::new(data), bytes }), fault, names }
        }
        None => {
            let reason = match fault {
                Some(fault) => FileError::Fault(fault.message),
                None => FileError::NoTranscript(path.to_owned()),
            };
            OpenedFile { run: Err(reason), fault: None, names }
        }
    }
}

/// The faults of a file, apart from remarks: the first of the gravest, and their number.
fn file_fault(path: &str, document: &Document) -> Option<FileFault> {
    let faults = || document.diagnostics().iter().filter(|found| found.severity != Severity::Info);
    let first = faults().min_by_key(|found| found.severity)?;
    let line = document.lines().line(first.span.start as usize);
    let code = if first.severity == Severity::Error { codes::UNKNOWN_NESTED } else { first.code };
    let help = match faults().count() - 1 {
        0 => "fix that file".to_owned(),
        1 => "fix that file; it has one more problem".to_owned(),
        more => format!("fix that file; it has {more} more problems"),
    };
    let message = format!("in `{path}`, line {line}: {}", first.message);
    Some(FileFault { severity: first.severity, code, message, help })
}

/// From here on, names of files that could not be put in place are relative to the outermost
/// document.
fn rebase(value: &mut Value, folder: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rebase(item, folder)),
        Value::Object(entries) => {
            for (key, entry) in entries.iter_mut() {
                match entry {
                    Value::String(name) if key == "nested_transcript_ref" && !name.starts_with('#') => {
                        if let Some(path) = resolve_path(folder, name) {
                            *name = path;
                        }
                    }
                    _ => rebase(entry, folder),
                }
            }
        }
        _ => {}
    }
}
