//! The conversation at a step, for reading: results are with their calls.

use std::sync::Arc;

use transcript_core::model::Content;
use transcript_core::replay::Timeline;
use transcript_core::text::{Set, Table};
use transcript_core::view::{
    ChatCall, ChatFacts, ChatMessage, MessageView, PageRequest, StepDetail, TabList,
};

use crate::clock::Clock;

/// The messages of the store at the step; an answer to a call is in that call alone.
pub(crate) fn answer(
    detail: &StepDetail,
    timeline: &Timeline,
    clock: Clock,
    page: PageRequest,
    without_hidden: bool,
) -> TabList<ChatFacts, ChatMessage> {
    let store = &detail.flow.store;
    let calls = || store.iter().flat_map(|message| message.tool_calls.iter());
    let called: Set<&str> = calls().map(|call| call.id.as_str()).filter(|id| !id.is_empty()).collect();
    let mut results: Table<&str, &MessageView> = Table::new();
    for message in store {
        if let Some(id) = message.tool_call_id.as_deref().filter(|id| called.contains(id)) {
            results.entry(id).or_insert(message);
        }
    }
    // A second answer to one call is shown on its own.
    let is_in_call = |message: &MessageView| {
        let first = message.tool_call_id.as_deref().and_then(|id| results.get(id));
        first.is_some_and(|first| std::ptr::eq(*first, message))
    };
    let mut runs: Table<&str, usize> = Table::new();
    for (index, turn) in timeline.transcript().turns.iter().enumerate() {
        if let Some(id) = turn.tool.as_ref().and_then(|tool| tool.id.as_ref()) {
            runs.entry(&*id.value).or_insert(index + 1);
        }
    }
    let items: Vec<&MessageView> =
        store.iter().filter(|message| !is_in_call(message) && (message.visible || !without_hidden)).collect();
    let unanswered = calls().filter(|call| !results.contains_key(call.id.as_str())).count();
    let prefix = detail.row.path.rsplit_once('.').map_or(String::new(), |(run, _)| format!("{run}."));
    let here = detail.row.index;
    let facts = ChatFacts {
        messages: store.len(),
        hidden: store.iter().filter(|message| !message.visible).count(),
        unanswered,
    };
    TabList::new(&items, page, facts, |message| {
        let calls = message.tool_calls.iter().map(|call| {
            let ran = runs.get(call.id.as_str()).copied();
            let run = ran
                .filter(|step| *step <= here)
                .and_then(|step| timeline.turn_at(step)?.tool.as_ref().map(|tool| (step, tool)));
            let stored = results.get(call.id.as_str());
            let stored_result =
                stored.map(|message| message.content.as_deref().unwrap_or_default().to_owned());
            let result = stored_result.or_else(|| {
                run.map(|(_, tool)| match &tool.error {
                    Some(error) if !tool.success => error.to_text(),
                    _ => Content::from_result(tool.answer()).to_text(),
                })
            });
            ChatCall {
                call: call.clone(),
                result,
                result_id: stored.map(|message| message.id.clone()),
                is_hidden: stored.is_some_and(|message| !message.visible),
                failed: run.is_some_and(|(_, tool)| !tool.success),
                took: run.and_then(|(step, _)| clock.took(timeline, step)).map(f64::round),
                path: ran.map(|step| format!("{prefix}{step}")),
            }
        });
        ChatMessage {
            message: MessageView { tool_calls: Arc::default(), ..(*message).clone() },
            is_orphan: message.tool_call_id.is_some() || message.role == "tool",
            calls: calls.collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::read::ReadDocument;
    use serde_json::{Value, json};
    use transcript_core::view::{PageRequest, TabRequest};

    fn chat(text: &str, at: usize, without_hidden: bool) -> Value {
        ReadDocument::new(text)
            .look(at, TabRequest::Chat { page: PageRequest { start: None, length: 40 }, without_hidden })
            .unwrap()
    }

    const RUN: &str = include_str!("../../../public/examples/context_management.yaml");

    #[test]
    fn a_result_stands_in_its_call() {
        let answer = chat(RUN, 4, false);
        let ids: Vec<&str> = answer["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["message"]["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["msg_001", "msg_002", "msg_003", "msg_005", "msg_006"]);
        let call = &answer["items"][2]["calls"][0];
        assert_eq!(
            (&call["call"]["name"], &call["resultId"], &call["path"]),
            (&json!("load_report"), &json!("msg_004"), &json!("2"))
        );
        assert!(call["result"].as_str().unwrap().starts_with("Third quarter report."));
        assert_eq!(
            (&answer["facts"]["messages"], &answer["facts"]["hidden"], &answer["facts"]["unanswered"]),
            (&json!(6), &json!(1), &json!(0))
        );
        assert_eq!(chat(RUN, 4, true)["count"], 4);
    }

    #[test]
    fn a_call_has_no_result_before_its_tool_ran() {
        let call = &chat(RUN, 1, false)["items"][2]["calls"][0];
        assert_eq!((&call["result"], &call["path"]), (&Value::Null, &json!("2")));
        assert_eq!(chat(RUN, 1, false)["facts"]["unanswered"], 1);
    }

    #[test]
    fn a_result_without_a_call_is_reported() {
        let text = "execution:\n\
            - {turn: 1, type: message, message_created: {id: a, role: tool, tool_call_id: lost, content: '72'}}\n";
        assert_eq!(chat(text, 1, false)["items"][0]["isOrphan"], true);
    }
}
