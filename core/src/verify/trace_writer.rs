//! How much of a trace is kept.

use sha2::{Digest, Sha256};

use super::trace::TraceLine;

/// How many lines of a trace have one fingerprint.
pub const TRACE_BLOCK: usize = 1000;

/// How much of a trace is kept. That of a million events is as long as the log itself, and hardly any line of
/// it is read: two traces are compared by their fingerprints, and only the lines around a difference are made
/// again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceRetention {
    /// All of it.
    #[default]
    All,
    /// A fingerprint of every [`TRACE_BLOCK`] lines.
    Prints,
    /// Some lines of it.
    Lines {
        /// The first of them, from 0.
        from: usize,
        /// How many.
        count: usize,
    },
}

/// A trace that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct TraceWriter {
    keep: TraceRetention,
    pub(super) text: String,
    lines: usize,
    block: Sha256,
    /// The buffer of the last line, for the next.
    buffer: String,
    pub(super) prints: Vec<String>,
}

impl TraceWriter {
    pub(super) fn new(keep: TraceRetention) -> Self {
        Self { keep, ..Self::default() }
    }

    /// A line to be filled and passed to [`TraceWriter::add`].
    pub(super) fn line(&mut self) -> TraceLine {
        TraceLine::new(std::mem::take(&mut self.buffer))
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: TraceLine) {
        let line = line.end();
        match self.keep {
            TraceRetention::All => self.text.push_str(&line),
            TraceRetention::Prints => {
                self.block.update(&line);
                if (self.lines + 1).is_multiple_of(TRACE_BLOCK) {
                    self.print();
                }
            }
            TraceRetention::Lines { from, count } => {
                if self.lines >= from && self.lines - from < count {
                    self.text.push_str(&line);
                }
            }
        }
        self.lines += 1;
        self.buffer = line;
    }

    /// Closes the last block, which may have fewer lines.
    pub(super) fn end(&mut self) {
        if self.keep == TraceRetention::Prints && !self.lines.is_multiple_of(TRACE_BLOCK) {
            self.print();
        }
    }

    fn print(&mut self) {
        let digest = self.block.finalize_reset();
        self.prints.push(digest.iter().map(|byte| format!("{byte:02x}")).collect());
    }
}
