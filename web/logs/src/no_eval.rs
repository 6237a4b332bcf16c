//! Replaces `eval.rs` in a build without it: no archive is a log.

use crate::archive::UnreadFile;

/// Has no values.
#[derive(Debug)]
pub(crate) enum Eval {}

/// A log in JSON.
pub(crate) struct Log {
    pub text: String,
}

impl Log {
    pub(crate) fn alone(&self) -> Option<String> {
        None
    }
}

impl Eval {
    pub(crate) fn open(bytes: Vec<u8>, _most: usize) -> Result<Self, Vec<u8>> {
        Err(bytes)
    }

    pub(crate) fn names(&self) -> &[String] {
        match *self {}
    }

    pub(crate) fn help(&self) -> &'static str {
        match *self {}
    }

    pub(crate) fn take_left_out(&mut self) -> Vec<UnreadFile> {
        match *self {}
    }

    pub(crate) fn log(&self, _session: Option<&str>) -> Result<Log, UnreadFile> {
        match *self {}
    }
}
