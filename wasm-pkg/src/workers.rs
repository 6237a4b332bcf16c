//! The calls of the workbench's workers: the page and the package have them in one module with all others.

pub use transcript_logs::Logs;
pub use transcript_reader::Reader;
