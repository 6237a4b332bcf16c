//! One step in full; its lists of messages come a page at a time.

use serde_json::{Value, json};
use transcript_core::view::{LlmLayer, MessageView, SentView, StepDetail};

/// Everything to be seen of a step; of each list its length and its last page.
pub(crate) fn answer(detail: &StepDetail, page: usize) -> Value {
    let list = |what: &str, count: usize| {
        let start = count.saturating_sub(1) / page.max(1) * page;
        json!({"count": count, "last": messages(detail, what, start, page)})
    };
    let flow = &detail.flow;
    let llm = detail.llm.as_ref().map(|llm| {
        let LlmLayer { sent, withheld, config, content, tool_calls, reasoning, refusal, usage, error } = llm;
        json!({
            "sent": sent.as_ref().map(|sent| list("sent", sent.len())),
            "withheld": list("withheld", withheld.len()),
            "config": config,
            "content": content,
            "toolCalls": tool_calls,
            "reasoning": reasoning,
            "refusal": refusal,
            "usage": usage,
            "error": error,
        })
    });
    json!({
        "row": detail.row,
        "state": detail.state,
        "store": list("store", flow.store.len()),
        "visible": flow.visible.len(),
        "hidden": flow.store.iter().filter(|message| !message.visible).count(),
        "llm": llm,
        "tool": detail.tool,
    })
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
            sent.iter().skip(start).take(page).map(|sent| sent_json(sent, stored)).collect()
        }
        _ => {
            let withheld = llm.map(|llm| llm.withheld.as_slice()).unwrap_or_default();
            let page_items = withheld.iter().skip(start).take(page).map(|id| {
                let found = stored(id);
                let role = found.map(|message| &message.role);
                json!({"id": id, "role": role, "content": found.and_then(|message| message.content.as_ref())})
            });
            page_items.collect()
        }
    }
}

/// A message that was sent, with what the store holds when that is another text.
fn sent_json<'s>(sent: &SentView, stored: impl Fn(&str) -> Option<&'s MessageView>) -> Value {
    let mut out = json!(sent);
    if sent.transformed
        && let Some(found) = sent.id.as_deref().and_then(stored)
    {
        out["before"] = json!(found.content);
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::read::ReadDocument;

    #[test]
    fn of_a_list_the_last_page_comes_and_the_others_when_asked() {
        let items: String = (0..100).map(|at| format!("  - 'user: number {at}'\n")).collect();
        let mut read = ReadDocument::new(&format!("messages:\n{items}  - 'assistant: Hello'\n"));
        let last = read.answer(&[], &[])["links"].as_str().unwrap().split(' ').count() - 1;
        let detail = read.step(last).unwrap();
        let answer = super::answer(detail, 40);
        assert_eq!((&answer["store"]["count"], &answer["visible"]), (&101.into(), &101.into()));
        assert_eq!(answer["store"]["last"].as_array().unwrap().len(), 21);
        assert_eq!(answer["store"]["last"][20]["content"], "Hello");
        assert_eq!(answer["llm"]["sent"]["count"], 100);
        let page = super::messages(detail, "sent", 40, 40);
        assert_eq!((page.len(), &page[0]["content"]), (40, &"number 40".into()));
        assert_eq!(super::messages(detail, "withheld", 0, 40).len(), 0);
    }
}
