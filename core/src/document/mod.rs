//! The pipeline: a text becomes a [`Document`] with the kind and the problems of the text.

mod detection;
mod expansion;
mod files;
mod foreign;
mod lost;
mod mock;
mod notes;
mod open;
mod options;
mod recognized;
mod run;
mod unrecognized;

pub use crate::parse::Limits;
pub use detection::{Detection, detection};
pub use files::FileReference;
pub(crate) use foreign::{known_bytes, no_log};
pub use open::{Document, Writing};
pub use options::Options;
pub use recognized::Form;
pub(crate) use run::{MessageSummary, Run, StepRef, content_text, source_of};
pub use unrecognized::Unrecognized;
