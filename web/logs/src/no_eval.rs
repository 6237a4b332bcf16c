//! What stands for the logs of Inspect AI in their form of an archive where the module goes without them: there are none.

/// An archive that there is none of.
#[derive(Debug)]
pub(crate) enum Eval {}

/// A log that there is none of.
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

    pub(crate) fn take_left_out(&mut self) -> Vec<(String, String)> {
        match *self {}
    }

    pub(crate) fn log(&self, _session: Option<&str>) -> Result<Log, String> {
        match *self {}
    }
}
