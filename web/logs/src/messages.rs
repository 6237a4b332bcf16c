//! Every text of this module that a person can read, in one table, as the page has one of its own.

use std::fmt::{Display, Formatter, Result};

use transcript_core::import::format_of_kind;
use transcript_core::text::grouped;

use crate::archive::{ReadError, UnreadFile};

pub(crate) const BROKEN_HELP: &str = "download or create it again";
pub(crate) const GZIP_CUT: &str = "its gzip data is cut off; the part before that is read";
pub(crate) const GZIP_DAMAGED: &str = "its gzip data is damaged; everything before the damage is read";
pub(crate) const GZIP_SUM: &str = "its gzip checksum is wrong, so it may have changed";
pub(crate) const GZIP_BEHIND: &str = "the data after its gzip data is ignored";
pub(crate) const GZIP_HELP: &str = "download the file again, or use `gzip -dc FILE` to get the readable part";
pub(crate) const NO_LOG: &str = "it is not a supported log";
pub(crate) const NOTHING: &str = "it contains no log files";
pub(crate) const SMALLER_HELP: &str = "open the folder or the zip file of one session";

/// A hint when nothing could be read. The page lists the formats.
pub(crate) const NOTHING_HELP: &str =
    "logs are JSON, JSON Lines or YAML files; some also need their folder names";

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match *self {
            Self::FileTooLarge(most) => return write!(f, "it has more than {}", mebibytes(most)),
            Self::TooManyEntries(most) => return write!(f, "the zip file has more than {most} entries"),
            Self::TooMuchUnpacked(most) => {
                return write!(f, "unpacked, the zip file has more than {}", mebibytes(most));
            }
            Self::TooManyFiles(most) => return write!(f, "there are more than {most} files"),
            Self::TooManyBytes(most) => {
                return write!(f, "the files have more than {} in total", mebibytes(most));
            }
            Self::BrokenArchive => "the zip file is damaged or cut off",
            Self::Broken => "it is damaged in the zip file",
            Self::Encrypted => "it is encrypted; unpack the zip file and open the folder",
            Self::UnknownMethod => {
                "its compression is not supported here; unpack the zip file and open the folder"
            }
            #[cfg(not(feature = "eval"))]
            Self::Zstandard => {
                "Zstandard is not supported here; unpack it with `zstd -d`, or use `transcript convert`"
            }
            Self::OtherKind => "it does not have the name of a log",
            Self::PathLeadsOut => "its path is outside of the zip file",
            Self::DuplicatePath => "the zip file already has this path",
            Self::Database(problem) => problem,
            Self::NotText => "it is not UTF-8 text",
        })
    }
}

impl Display for UnreadFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {}", self.path, self.error)
    }
}

fn mebibytes(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

pub(crate) fn left_out(path: &str, why: impl Display) -> String {
    format!("{path}: {why}")
}

pub(crate) fn and_more(count: usize) -> String {
    format!("and {count} more")
}

/// The files that were read, in one sentence, and in another how much could not be read.
pub(crate) fn files_summary(kind: &str, files: usize, entries: usize, lost: usize) -> String {
    let (run, entry) = format_of_kind(kind).map_or(("a run", ("entry", "entries")), |format| {
        let words = format.words();
        (words.run, words.entry)
    });
    let lost = match lost {
        0 => String::new(),
        lost => format!(" {} could not be read.", many(lost, ("piece", "pieces"))),
    };
    let files = if files == 1 { String::new() } else { format!(", in {files} files") };
    format!("Imported {run}: {}{files}.{lost}", many(entries, entry))
}

pub(crate) fn choose_session(count: usize) -> String {
    format!("Choose one of {count} sessions to open as a transcript.")
}

/// Why a sample could not be read, where there are others.
pub(crate) fn choose_another_sample(unread: &UnreadFile, count: usize) -> String {
    format!("{unread}. {}", choose_session(count))
}

/// The name of a sample where there are several logs.
pub(crate) fn sample_name(path: &str, name: &str) -> String {
    format!("{path}: {name}")
}

/// How many entries of a file were used, kept and left out.
pub(crate) fn file_summary(entries: usize, used: usize, kept: usize, streamed: usize) -> String {
    let mut parts = Vec::new();
    for (count, outcome) in [
        (used, "in the run"),
        (kept, "kept in metadata.recording"),
        (streamed, "skipped, because other events have the whole"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {outcome}"));
        }
    }
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}{parts}", many(entries, ("entry read", "entries read")))
}

/// The kinds of entries without an equivalent in the run, each with how many there are.
pub(crate) fn unmapped_kinds(kinds: &[(String, usize)]) -> String {
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    format!("without an equivalent, kept in metadata: {}", kinds.join(", "))
}

pub(crate) fn problem(line: u32, message: &str, help: Option<&str>) -> String {
    let help = help.map_or_else(String::new, |help| format!(" ({help})"));
    format!("line {line}: {message}{help}")
}

/// A log of events in one sentence.
pub(crate) fn events_summary(events: usize, agents: usize, waiting: usize) -> String {
    let cycle = match waiting {
        0 => String::new(),
        waiting => format!("; {waiting} of them have no position, because they depend on each other"),
    };
    format!(
        "{} of {}, in topological order{cycle}.",
        many(events, ("event", "events")),
        many(agents, ("agent", "agents"))
    )
}

pub(crate) const EVENT_COLUMNS: [&str; 6] = ["Position", "Agent", "Type", "Details", "After", "Event id"];

fn many(count: usize, (one, many): (&str, &str)) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(crate) const DIVIDE_HELP: &str =
    "use `transcript convert --max-bytes N` on the command line, or open a part of the file";

pub(crate) const MADE_HELP: &str =
    "use `transcript show FILE` or `transcript convert FILE` on the command line, or open a part of the file";

/// The text in place of a cut.
pub(crate) fn cut(bytes: u64) -> String {
    format!(" [… {} omitted …] ", bytes_of(bytes))
}

pub(crate) fn cut_summary(texts: usize, bytes: u64) -> String {
    let were = if texts == 1 { "is" } else { "are" };
    format!(
        "The file is too large to show completely: {} {were} shortened, by {} in total.",
        many(texts, ("long text", "long texts")),
        bytes_of(bytes)
    )
}

pub(crate) fn choose_part(lines: u64) -> String {
    format!("It has {} lines, too many for one transcript. Choose a part.", grouped(lines))
}

/// The name of a part, with lines counted from 1.
pub(crate) fn part(first: u64, last: u64) -> String {
    format!("lines {} to {}", grouped(first), grouped(last))
}

pub(crate) fn part_name(name: &str, parts: usize) -> String {
    format!("These are {name}, one of {parts} parts of the file.")
}

pub(crate) fn document_too_large(bytes: u64, most: usize) -> String {
    format!("it has {}; the limit for such a document is {}", bytes_of(bytes), mebibytes(most))
}

pub(crate) fn transcript_too_large(bytes: usize, most: usize) -> String {
    format!("its transcript has {}; the limit is {}", bytes_of(bytes as u64), mebibytes(most))
}

fn bytes_of(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{} bytes", grouped(bytes)),
        10_000..10_000_000 => format!("{} kB", grouped(bytes / 1000)),
        _ => format!("{} MB", grouped(bytes / 1_000_000)),
    }
}
