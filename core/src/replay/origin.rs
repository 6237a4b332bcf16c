//! The place of a recording, so that a difference can be shown in its own text.

use std::sync::Arc;

use serde::Serialize;

use crate::model::Text;
use crate::text::{LineIndex, Place, Span};

/// The text of a recording.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The name of its file.
    pub file: String,
    /// The text.
    pub text: Arc<str>,
    /// Its lines.
    pub lines: Arc<LineIndex>,
}

/// The recorded message that a request differs from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedAt {
    /// Its id; `None` for a message that was sent but never stored.
    pub message: Option<Text>,
    /// The file, where that is known.
    pub file: Option<String>,
    /// Its place there. A run in another file has the place of its name.
    #[serde(flatten)]
    pub place: Option<Place>,
}

impl RecordedAt {
    /// The message with this id and span. The empty span has no place.
    pub(super) fn new(message: Option<&Text>, span: Span, origin: Option<&Origin>) -> Self {
        let origin = origin.filter(|_| span != Span::default());
        Self {
            message: message.cloned(),
            file: origin.map(|origin| origin.file.clone()),
            place: origin.map(|origin| Place::new(&origin.text, &origin.lines, span)),
        }
    }

    /// As text: `recorded as msg_007 at run.yaml:41:5`; `None` when neither is known.
    pub(super) fn describe(&self) -> Option<String> {
        let id = self.message.as_ref().map(|id| format!(" as {id}"));
        let place = self.file.as_ref().zip(self.place);
        let place = place.map(|(file, place)| format!(" at {file}:{}:{}", place.line, place.column));
        let known = id.is_some() || place.is_some();
        known.then(|| format!("recorded{}{}", id.unwrap_or_default(), place.unwrap_or_default()))
    }
}
