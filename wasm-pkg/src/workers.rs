//! The calls of the workbench's workers, so that the package serves them with a module that it has anyway.

pub use transcript_logs::Logs;
pub use transcript_reader::Reader;
