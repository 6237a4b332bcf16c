//! A document in the forms of other tools.

use serde::{Deserialize, Serialize};

use super::compaction::LossView;
use crate::compact::Loss;
use crate::diagnostic::{Diagnostic, InvalidInput, Severity, codes};
use crate::document::Document;
use crate::export::{self, Exported, Parts, Settings, Writer, writer_named};
use crate::replay::Timeline;
use crate::text::Span;
use crate::write::{self, NestedMode, Nesting};

/// A document in another form, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ExportResult"))]
#[serde(rename_all = "camelCase")]
pub struct ExportView {
    /// Whether there is a text.
    pub ok: bool,
    /// The text; `None` when the document cannot be read as a transcript, or has nothing to write in this form.
    pub text: Option<String>,
    /// Everything that the text lacks or expresses differently, in the order of the full form.
    pub losses: Vec<LossView>,
    /// The losses in few lines, those of one kind together.
    pub summary: Vec<String>,
}

impl Document {
    /// The document in the form with this name. A text that cannot be read as a transcript has none; its diagnostics
    /// give the reason. A document whose full form would be too large has none either, nor has the event log of a run without
    /// events: see [`Document::export_refused`].
    ///
    /// # Errors
    /// When there is no such form.
    ///
    /// ```
    /// use transcript_core::export::Settings;
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("author: Ann\nmessages: ['user: Hi']", &Limits::default());
    /// let view = document.exported("openai", &Settings::default()).unwrap();
    /// assert!(view.ok && view.text.unwrap().contains("\"content\": \"Hi\""));
    /// assert_eq!(view.losses[0].path, "metadata.author");
    /// assert!(document.exported("opnai", &Settings::default()).unwrap_err().to_string().ends_with("did you mean `openai`?"));
    /// ```
    pub fn exported(&self, format: &str, settings: &Settings) -> Result<ExportView, InvalidInput> {
        Ok(match writer_named(format)? {
            Writer::Yaml => self.whole_text(self.expanded_yaml()),
            Writer::Json => {
                let mut view = self.whole_text(self.expanded_json());
                if !self.notes().is_empty() {
                    view.summary.push("the notes on steps: JSON has no comments".to_owned());
                }
                view
            }
            Writer::Compact => {
                let compaction = self.compacted(true);
                let (text, losses, summary) = (compaction.text, compaction.losses, compaction.summary);
                let summary = if text.is_some() { summary } else { Vec::new() };
                ExportView { ok: text.is_some(), text, losses, summary }
            }
            Writer::Run(write) => self.written_by(write, settings),
        })
    }

    /// The runs of other agents inside the document, each as a transcript that opens by itself; `None` when the document
    /// cannot be read as a transcript.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "execution: [{turn: 1, type: tool_call, tool_call: {tool_name: lookup, result: {nested_transcript_ref: '#a'}}}]
    /// nested: {a: {execution: [{turn: 1, type: llm_call, llm_response: {content: Sunny}}]}}";
    /// let parts = Document::open(text, &Limits::default()).parts().unwrap();
    /// assert_eq!(parts.parts[0].name, "agents/001-lookup.yaml");
    /// assert!(Document::open("a: [", &Limits::default()).parts().is_none());
    /// ```
    #[must_use]
    pub fn parts(&self) -> Option<Parts> {
        let timeline = self.timeline().filter(|_| self.is_readable())?;
        // The runs inside are no larger for what the run around them was sent.
        let whole = self.whole().unwrap_or_else(|| {
            let nesting = Nesting { mode: NestedMode::Inline, files: self.files(), bytes: self.bytes };
            write::nested(&write::brief(timeline.transcript()), &nesting)
        });
        Some(export::parts(&whole))
    }

    /// The full form, which lacks no more than what could not be read.
    fn whole_text(&self, text: Option<String>) -> ExportView {
        let losses = if text.is_some() { self.unread_losses() } else { Vec::new() };
        let summary = losses.iter().map(|loss| loss.message.clone()).collect();
        ExportView { ok: text.is_some(), text, losses, summary }
    }

    fn written_by(&self, write: fn(&Timeline, &Settings) -> Exported, settings: &Settings) -> ExportView {
        let Some(timeline) = self.timeline().filter(|_| self.is_readable()) else {
            return ExportView::default();
        };
        let own = (settings.path.is_none() && settings.text.is_none()).then(|| self.text().to_owned());
        let settings = Settings { text: settings.text.clone().or(own), ..settings.clone() };
        let exported = write(timeline, &settings);
        if exported.text.is_empty() {
            return ExportView::default();
        }
        let mut losses = self.unread_losses();
        let mut summary: Vec<String> = losses.iter().map(|loss| loss.message.clone()).collect();
        summary.extend(exported.summary());
        losses.extend(exported.losses.iter().map(|loss| self.viewed(loss)));
        ExportView { ok: true, text: Some(exported.text), losses, summary }
    }

    /// A loss with its place; what the run's reading has no place for stands where its key does in the document.
    fn viewed(&self, loss: &Loss) -> LossView {
        let known = Some(loss.span).filter(|span| !span.is_empty());
        let span = known.or_else(|| self.span_at(&loss.path)).unwrap_or(loss.span);
        self.loss_at(loss, span)
    }

    /// Where the value of a path of the full form stands in a full document: the innermost key that is there.
    fn span_at(&self, path: &str) -> Option<Span> {
        let mut node = self.source()?;
        for key in path.split(['.', '[']) {
            let next = match key.strip_suffix(']') {
                Some(index) => node.items().get(index.parse::<usize>().ok()?),
                None => node.get(key),
            };
            let Some(next) = next else { break };
            node = next;
        }
        Some(node.span)
    }

    /// Why [`Document::exported`] has no text, besides the document's own diagnostics: its full form would be too large, or
    /// the run has nothing to write in this form.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("messages: ['system: Be brief.']", &Limits::default());
    /// let refused = document.export_refused("events").unwrap();
    /// assert_eq!(refused.message, "nothing to export to `events`: the run has no tasks, responses or tool calls");
    /// ```
    #[must_use]
    pub fn export_refused(&self, format: &str) -> Option<Diagnostic> {
        if let Some(refused) = self.handlers_refused() {
            return Some(refused);
        }
        match writer_named(format).ok()? {
            Writer::Yaml | Writer::Json => self.expansion_refused(),
            Writer::Compact => None,
            // Only a log of events can be without content.
            Writer::Run(_) => self.timeline().filter(|_| self.is_readable()).map(|_| {
                let reason = "the run has no tasks, responses or tool calls";
                let message = format!("nothing to export to `{format}`: {reason}");
                Diagnostic::new(codes::EMPTY, Severity::Error, Span::empty(0), message)
            }),
        }
    }
}
