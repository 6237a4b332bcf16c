//! One step in full; its lists of messages come a page at a time.

use serde_json::{Value, json};
use transcript_core::view::{
    MessagePage, MessageView, PagedLlmLayer, SentAndStored, SentView, StepAnswer, StepDetail, WithheldMessage,
};

/// Everything to be seen of a step; of each list its length and its last page.
pub(crate) fn answer(detail: &StepDetail, page: usize) -> StepAnswer {
    let list = |what: &str, count: usize| {
        let start = count.saturating_sub(1) / page.max(1) * page;
        MessagePage { count, last: messages(detail, what, start, page) }
    };
    let flow = &detail.flow;
    let llm = detail.llm.clone().map(|llm| PagedLlmLayer {
        sent: llm.sent.map(|sent| list("sent", sent.len())),
        withheld: list("withheld", llm.withheld.len()),
        config: llm.config,
        content: llm.content,
        tool_calls: llm.tool_calls,
        reasoning: llm.reasoning,
        refusal: llm.refusal,
        usage: llm.usage,
        error: llm.error,
    });
    let is_changed = |message: &&MessageView| message.created_here || message.visibility_changed_here;
    let changed = flow.store.iter().filter(|_| detail.row.index > 0).filter(is_changed).take(page);
    StepAnswer {
        row: detail.row.clone(),
        state: detail.state.clone(),
        store: list("store", flow.store.len()),
        changed: changed.map(|message| json!(message)).collect(),
        visible: flow.visible.len(),
        hidden: flow.store.iter().filter(|message| !message.visible).count(),
        llm,
        tool: detail.tool.clone(),
    }
}

/// The page of a list that begins at `start`.
pub(crate) fn messages(detail: &StepDetail, what: &str, start: usize, page: usize) -> Vec<Value> {
    let store = &detail.flow.store;
    let stored = |id: &str| store.iter().find(|message| &*message.id == id);
    let llm = detail.llm.as_ref();
    match what {
        "store" => store.iter().skip(start).take(page).map(|message| json!(message)).collect(),
        "sent" => {
            let sent: &[SentView] = llm.and_then(|llm| llm.sent.as_deref()).unwrap_or_default();
            sent.iter().skip(start).take(page).map(|sent| json!(sent_message(sent, stored))).collect()
        }
        _ => {
            let withheld = llm.map(|llm| llm.withheld.as_slice()).unwrap_or_default();
            let page_items = withheld.iter().skip(start).take(page).map(|id| {
                let found = stored(id);
                json!(WithheldMessage {
                    id: id.clone(),
                    role: found.map(|message| message.role.clone()).unwrap_or_default(),
                    content: found.and_then(|message| message.content.clone()),
                })
            });
            page_items.collect()
        }
    }
}

/// A message that was sent, with what the store holds when that is another text.
fn sent_message<'s>(sent: &SentView, stored: impl Fn(&str) -> Option<&'s MessageView>) -> SentAndStored {
    let before = sent.id.as_deref().filter(|_| sent.transformed).and_then(stored);
    let before = before.map(|found| found.content.clone().unwrap_or_default());
    SentAndStored { sent: sent.clone(), before }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;

    #[test]
    fn of_a_list_the_last_page_comes_and_the_others_when_asked() {
        let items: String = (0..100).map(|at| format!("  - 'user: number {at}'\n")).collect();
        let mut read = ReadDocument::new(&format!("messages:\n{items}  - 'assistant: Hello'\n"));
        let last = read.answer(&[], &[]).outline.links.split(' ').count() - 1;
        let detail = read.step(last).unwrap();
        let answer = json!(super::answer(detail, 40));
        assert_eq!((&answer["store"]["count"], &answer["visible"]), (&101.into(), &101.into()));
        assert_eq!(answer["store"]["last"].as_array().unwrap().len(), 21);
        assert_eq!(answer["store"]["last"][20]["content"], "Hello");
        assert_eq!(
            (&answer["changed"][0]["content"], &answer["changed"][1]),
            (&"Hello".into(), &Value::Null)
        );
        assert_eq!(answer["llm"]["sent"]["count"], 100);
        let page = super::messages(detail, "sent", 40, 40);
        assert_eq!((page.len(), &page[0]["sent"]["content"]), (40, &"number 40".into()));
        assert_eq!(super::messages(detail, "withheld", 0, 40).len(), 0);
    }
}
