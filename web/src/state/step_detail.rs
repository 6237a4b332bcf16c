//! A step in full, and the reader that knows more of it.

use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;
use transcript_core::view::{MessageView, StepAnswer, TabRequest};

use crate::io::decode::decode;

use crate::io::reader::{self, DocumentHandle};
use crate::ui::PAGE;

/// The place of a step among the rows of a document.
#[derive(Clone, Debug)]
pub(crate) struct StepPlace {
    pub(crate) document: Arc<DocumentHandle>,
    pub(crate) at: usize,
}

impl StepPlace {
    /// The page of the `store`, of the messages `sent` or of those `withheld` that begins at a message.
    pub(crate) async fn messages(self, what: &'static str, start: usize) -> Option<Vec<Value>> {
        let page = reader::messages(self.document.number(), self.at, what, start, PAGE).await?;
        match page {
            Value::Array(page) => Some(page),
            _ => None,
        }
    }

    /// What a tab of the inspector shows of the step.
    pub(crate) async fn look(self, request: TabRequest) -> Option<Value> {
        reader::look(self.document.number(), self.at, &request).await
    }
}

/// One step in three layers.
#[derive(Clone, Debug)]
pub(crate) struct StepDetail {
    pub(crate) place: StepPlace,
    pub(crate) answer: StepAnswer,
}

impl Deref for StepDetail {
    type Target = StepAnswer;

    fn deref(&self) -> &StepAnswer {
        &self.answer
    }
}

impl StepDetail {
    /// The message that the step has put into the store.
    pub(crate) fn created_message(&self) -> Option<MessageView> {
        // It is the newest.
        self.changed.last().map(decode::<MessageView>).filter(|message| message.created_here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use transcript_core::document::{Document, Limits};
    use transcript_core::model::Text;
    use transcript_core::view::{
        ListedProblem, ListedStep, MessageView, SentAndStored, SentView, WithheldMessage,
    };

    const EXAMPLES: [&str; 3] = [
        include_str!("../../../public/examples/context_management.yaml"),
        include_str!("../../../public/examples/error_handling.yaml"),
        include_str!("../../../public/examples/nested_agent_call.yaml"),
    ];

    fn parse(answer: &str) -> Value {
        serde_json::from_str(answer).unwrap()
    }

    /// Every row and step of the examples, as the reader answers and as the core has it.
    #[test]
    fn nothing_is_lost_on_the_way() {
        for text in EXAMPLES {
            let document = Document::open(text, &Limits::default());
            let mut reader = transcript_reader::Reader::new();
            reader.read(1, text, &[], &[]);
            let rows: Vec<ListedStep> = decode(&parse(&reader.piece(1, "rows", 0).unwrap()));
            for (at, known) in document.steps().into_iter().enumerate() {
                let whole = document.step(&known.path).unwrap();
                let decoded: StepAnswer = decode(&parse(&reader.step(1, at, 40).unwrap()));
                assert_eq!((&rows[at].step, &decoded.row), (&known, &known));
                assert_eq!(decoded.state, whole.state);
                assert_eq!(decoded.tool, whole.tool);
                let store: Vec<MessageView> = decoded.store.last.iter().map(decode).collect();
                let changed: Vec<MessageView> = decoded.changed.iter().map(decode).collect();
                let is_changed =
                    |message: &&MessageView| message.created_here || message.visibility_changed_here;
                let expected = store.iter().filter(|_| known.index > 0).filter(is_changed).cloned();
                assert_eq!(changed, expected.collect::<Vec<_>>());
                assert_eq!((store, decoded.visible), (whole.flow.store.clone(), whole.flow.visible.len()));
                assert_eq!(decoded.hidden + decoded.visible, decoded.store.count);
                assert_eq!(decoded.llm.is_some(), whole.llm.is_some());
                let Some((decoded, whole)) = decoded.llm.zip(whole.llm) else { continue };
                assert_eq!(decoded.config, whole.config);
                assert_eq!((decoded.content, decoded.tool_calls), (whole.content, whole.tool_calls));
                assert_eq!((decoded.usage, decoded.error), (whole.usage, whole.error));
                assert_eq!((decoded.reasoning, decoded.refusal), (whole.reasoning, whole.refusal));
                let messages = decoded.sent.unwrap_or_default().last;
                let messages: Vec<SentView> =
                    messages.iter().map(|message| decode::<SentAndStored>(message).sent).collect();
                assert_eq!(messages, whole.sent.unwrap_or_default());
                let ids: Vec<Text> =
                    decoded.withheld.last.iter().map(|value| decode::<WithheldMessage>(value).id).collect();
                assert_eq!(ids, whole.withheld);
            }
        }
    }

    #[test]
    fn what_an_answer_leaves_out_is_empty() {
        let decoded: StepAnswer = decode(&Value::Null);
        assert_eq!((decoded.store.count, decoded.llm.is_some(), decoded.row.kind.as_str()), (0, false, ""));
        assert!(decode::<ListedProblem>(&Value::Null).fixes.is_empty());
    }
}
