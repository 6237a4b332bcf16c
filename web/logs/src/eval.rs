//! Logs that are zip archives, as Inspect AI writes them (`.eval`): one file has the log without its samples, and each
//! sample has a file of its own. They are joined into the log in JSON, in which only the requested sample is whole.

use rawzip::ZipSliceArchive;
use serde_json::json;
use transcript_core::import::{Archive, LogFile, Request, format_of_archive, read};
use transcript_core::text::Table;

use crate::archive::{self, Place, ReadError, UnreadFile};

/// The log without its samples; written when all of them have ended.
const HEADER: &str = "header.json";
/// What was known at the start.
const START: &str = "_journal/start.json";
const UPDATES: &str = "_journal/config_updates/";
const REDUCTIONS: &str = "reductions.json";
const SAMPLES: &str = "samples/";
/// The most entries. Each sample has one, and the journal has one for some of them.
const ENTRIES: usize = 200_000;

/// An archive whose samples are not yet unpacked.
#[derive(Debug)]
pub(crate) struct Eval {
    bytes: Vec<u8>,
    /// The log without its samples, and without the brace behind it.
    head: String,
    samples: Vec<Sample>,
    names: Vec<String>,
    left_out: Vec<UnreadFile>,
    format: &'static Archive,
    /// The most bytes of a file in it.
    most: usize,
}

#[derive(Debug)]
struct Sample {
    path: String,
    place: Place,
    /// A sample without messages, as JSON: the id and the epoch from the path.
    stub: String,
}

/// A log in JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Log {
    pub text: String,
    /// Where the whole sample ends; stubs of the other samples follow.
    end: Option<usize>,
}

impl Log {
    /// The log with the whole sample alone, if there is one.
    pub(crate) fn alone(&self) -> Option<String> {
        Some(format!("{}\n]}}\n", self.text.get(..self.end?)?))
    }
}

impl Eval {
    /// Opens an archive that is such a log. Files in it that cannot be read are left out.
    ///
    /// # Errors
    /// Returns the bytes when they are anything else.
    pub(crate) fn open(bytes: Vec<u8>, most: usize) -> Result<Self, Vec<u8>> {
        match Self::parse(&bytes, most) {
            Some(eval) => Ok(Self { bytes, ..eval }),
            None => Err(bytes),
        }
    }

    fn parse(bytes: &[u8], most: usize) -> Option<Self> {
        let archive = archive::open(bytes).ok()?;
        let entries = archive::entries(&archive, ENTRIES).ok()?;
        let begins = |begin: &str| entries.keys().any(|path| path.starts_with(begin));
        let has_header = entries.contains_key(HEADER) && (begins(SAMPLES) || begins("_journal/"));
        if !has_header && !entries.contains_key(START) {
            return None;
        }
        let (format, archive_format) = format_of_archive(START.as_bytes())?;
        let mut left_out = Vec::new();
        // All parts together may be as large as one file.
        let mut room = most;
        let mut read_part = |path: &str| match text(&archive, entries.get(path)?, room) {
            Ok(text) => {
                room -= text.len();
                Some(text)
            }
            Err(error) => {
                room = if matches!(error, ReadError::FileTooLarge(_)) { 0 } else { room };
                left_out.push(UnreadFile { path: path.to_owned(), error });
                None
            }
        };
        let head = head(&entries, &mut read_part)?;
        let samples = samples(&entries);
        let (bytes, names) = (Vec::new(), Vec::new());
        let mut out = Self { bytes, head, samples, names, left_out, format: archive_format, most };
        // The names are those that the log in JSON has.
        let listed = out.listed();
        let files = vec![(LogFile { path: "", text: &listed.text }, format)];
        let read = read(&Request { format, files, session: None, summary: false });
        let names = read.map(|runs| runs.names).unwrap_or_default();
        out.names = names.into_iter().map(|(name, _)| name).collect();
        Some(out)
    }

    /// The names of the samples.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// How to make a file of the archive that is read where its samples are not.
    pub(crate) fn help(&self) -> &'static str {
        self.format.help
    }

    /// Takes the files that could not be read, except samples.
    pub(crate) fn take_left_out(&mut self) -> Vec<UnreadFile> {
        std::mem::take(&mut self.left_out)
    }

    /// The log with the sample of that name whole, or with the only sample. Without a name, none of several is whole.
    ///
    /// # Errors
    /// When the sample cannot be read.
    pub(crate) fn log(&self, session: Option<&str>) -> Result<Log, UnreadFile> {
        let at = match session {
            None => (self.samples.len() == 1).then_some(0),
            Some(session) => self.names.iter().position(|name| name == session),
        };
        let Some((at, sample)) = at.and_then(|at| Some((at, self.samples.get(at)?))) else {
            return Ok(self.listed());
        };
        let whole = archive::open(&self.bytes)
            .and_then(|archive| text(&archive, &sample.place, self.most))
            .map_err(|error| UnreadFile { path: sample.path.clone(), error })?;
        let mut text = String::with_capacity(self.head.len() + whole.len() + self.samples.len() * 64);
        text.push_str(&self.head);
        text.push_str(",\"samples\":[\n");
        text.push_str(whole.trim());
        let end = text.len();
        for (_, other) in self.samples.iter().enumerate().filter(|(other, _)| *other != at) {
            text.push_str(",\n");
            text.push_str(&other.stub);
        }
        text.push_str("\n]}\n");
        Ok(Log { text, end: Some(end) })
    }

    /// The log with no sample whole.
    fn listed(&self) -> Log {
        let stubs: Vec<&str> = self.samples.iter().map(|sample| sample.stub.as_str()).collect();
        Log { text: format!("{},\"samples\":[\n{}\n]}}\n", self.head, stubs.join(",\n")), end: None }
    }
}

/// The log without its samples, from its header, or else from its journal; none if it has neither.
fn head(entries: &Table<String, Place>, read: &mut impl FnMut(&str) -> Option<String>) -> Option<String> {
    let log =
        |text: String| inner(&text, '{', '}').filter(|inner| inner.contains("\"eval\"")).map(str::to_owned);
    let mut head = String::from("{");
    match read(HEADER).and_then(log) {
        Some(header) => {
            head.push_str(&header);
            let reductions = read(REDUCTIONS).unwrap_or_default();
            if inner(&reductions, '[', ']').is_some() {
                head.push_str(",\"reductions\":");
                head.push_str(reductions.trim());
            }
        }
        None => {
            // Without a journal it may be any archive.
            let start = entries.contains_key(START).then(|| read(START).and_then(log))?;
            head.push_str(start.as_deref().unwrap_or("\"version\":2,\"eval\":{},\"plan\":{}"));
            if !entries.contains_key(HEADER) {
                head.push_str(",\"status\":\"started\"");
            }
            let mut updates: Vec<(u64, &str)> = entries
                .keys()
                .filter_map(|path| {
                    Some((path.strip_prefix(UPDATES)?.strip_suffix(".json")?.parse().ok()?, path.as_str()))
                })
                .collect();
            updates.sort_unstable();
            let updates: Vec<String> = updates.into_iter().filter_map(|(_, path)| read(path)).collect();
            if !updates.is_empty() {
                head.push_str(&format!(",\"config_updates\":[{}]", updates.join(",")));
            }
        }
    }
    Some(head)
}

/// The samples by their paths, in the order that the log in JSON has them in.
fn samples(entries: &Table<String, Place>) -> Vec<Sample> {
    let mut samples: Vec<((i64, String), Sample)> = entries
        .iter()
        .filter_map(|(path, place)| {
            let stem = path.strip_prefix(SAMPLES)?.strip_suffix(".json")?;
            let parts =
                stem.rsplit_once("_epoch_").and_then(|(id, epoch)| Some((id, epoch.parse::<i64>().ok()?)));
            let (id, epoch) = parts.unwrap_or((stem, 1));
            let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
            let order = (epoch, if is_number { format!("{id:0>20}") } else { id.to_owned() });
            let stub = json!({"id": id, "epoch": epoch}).to_string();
            Some((order, Sample { path: path.clone(), place: *place, stub }))
        })
        .collect();
    samples.sort_by(|(one, _), (other, _)| one.cmp(other));
    samples.into_iter().map(|(_, sample)| sample).collect()
}

/// The text of an entry.
fn text(archive: &ZipSliceArchive<&[u8]>, place: &Place, most: usize) -> Result<String, ReadError> {
    String::from_utf8(archive::content(archive, place, most)?).map_err(|_| ReadError::NotText)
}

/// The text between two characters at its start and end, unless that is empty.
fn inner(text: &str, begin: char, end: char) -> Option<&str> {
    let inner = text.trim_start_matches('\u{feff}').trim().strip_prefix(begin)?.strip_suffix(end)?.trim();
    (!inner.is_empty()).then_some(inner)
}

#[cfg(test)]
mod tests;
