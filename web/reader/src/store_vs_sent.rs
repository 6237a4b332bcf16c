//! What the store held against what the model was sent, message by message.

use transcript_core::model::Tokens;
use transcript_core::replay::Timeline;
use transcript_core::view::{
    MessageView, PageRequest, SentView, SideFacts, SideMode, SideRow, SideState, StepDetail, TabList,
    compared_text,
};

/// How one row of the two columns came about.
#[derive(Clone, Copy, Debug)]
struct Pair<'d> {
    stored: Option<(usize, &'d MessageView)>,
    sent: Option<&'d SentView>,
    /// Whether it was sent in another place than the store has it.
    moved: bool,
}

/// The rows of both columns, and how many each has.
pub(crate) fn answer(
    detail: &StepDetail,
    timeline: &Timeline,
    page: PageRequest,
    without_hidden: bool,
) -> TabList<SideFacts, SideRow> {
    let llm = detail.llm.as_ref();
    let sent = llm.and_then(|llm| llm.sent.as_deref());
    let mode = match (llm, sent) {
        (_, Some(_)) => SideMode::Sent,
        (Some(_), None) => SideMode::Unrecorded,
        (None, None) => SideMode::Visible,
    };
    let step = detail.row.index;
    // A call saw the store as it was before its answer came.
    let before = if llm.is_some() { step.saturating_sub(1) } else { step };
    let store: Vec<&MessageView> = detail.flow.store.iter().take(timeline.store_at(before).len()).collect();
    let was_visible =
        |at: usize| timeline.store_at(before).get(at).is_none_or(|stored| stored.visible_at(before));
    let pairs = match sent {
        Some(sent) => pairs(&store, sent),
        None => store
            .iter()
            .enumerate()
            .map(|(at, found)| Pair { stored: Some((at, found)), sent: None, moved: false })
            .collect(),
    };
    let is_ghost = |pair: &Pair<'_>| match (sent, pair.stored) {
        (Some(_), _) => pair.sent.is_none(),
        (None, Some((at, _))) => !was_visible(at),
        (None, None) => false,
    };
    let length = |text: &Option<_>| {
        text.as_ref().map_or(0, |text: &transcript_core::model::Text| text.chars().count())
    };
    let sent_length = |pair: &Pair<'_>| match (pair.sent, pair.stored) {
        _ if is_ghost(pair) => 0,
        (Some(sent), _) => length(&sent.content),
        (None, Some((_, stored))) => length(&stored.content),
        (None, None) => 0,
    };
    let hidden = pairs.iter().filter(|pair| is_ghost(pair)).count();
    let tokens = llm.and_then(|llm| Tokens::read(llm.usage.as_ref()?).prompt);
    let facts = SideFacts {
        mode,
        store: store.len(),
        sent: pairs.len() - hidden,
        hidden,
        changed: pairs.iter().filter(|pair| pair.sent.is_some_and(|sent| sent.transformed)).count(),
        store_length: store.iter().map(|message| length(&message.content)).sum(),
        sent_length: pairs.iter().map(sent_length).sum(),
        tokens,
    };
    let prefix = detail.row.path.rsplit_once('.').map_or(String::new(), |(run, _)| format!("{run}."));
    let rows: Vec<&Pair<'_>> = pairs.iter().filter(|pair| !without_hidden || !is_ghost(pair)).collect();
    TabList::new(&rows, page, facts, |pair| {
        let ghost = is_ghost(pair);
        let since =
            pair.stored.filter(|_| ghost).and_then(|(at, _)| timeline.store_at(before).get(at)).and_then(
                |stored| stored.last_change(before).filter(|(at, visible)| !visible && *at > stored.created),
            );
        row(
            pair,
            ghost,
            since.map(|(at, _)| format!("{prefix}{at}")),
            pair.stored.is_some_and(|(at, _)| was_visible(at)),
        )
    })
}

/// Each sent message next to that of the store; those that were not sent keep their places.
fn pairs<'d>(store: &[&'d MessageView], sent: &'d [SentView]) -> Vec<Pair<'d>> {
    let mut places = transcript_core::text::Table::new();
    for (at, message) in store.iter().enumerate() {
        places.entry(&*message.id).or_insert(at);
    }
    let place = |sent: &SentView| places.get(sent.id.as_deref()?).copied();
    let mut is_sent = vec![false; store.len()];
    for at in sent.iter().filter_map(place) {
        if let Some(is_sent) = is_sent.get_mut(at) {
            *is_sent = true;
        }
    }
    let mut out = Vec::with_capacity(store.len());
    let mut next = 0;
    let withheld = |out: &mut Vec<Pair<'d>>, from: usize, to: usize| {
        let range = store.iter().zip(&is_sent).enumerate().take(to).skip(from);
        let left = range.filter(|(_, (_, is_sent))| !**is_sent);
        out.extend(left.map(|(at, (message, _))| Pair {
            stored: Some((at, message)),
            sent: None,
            moved: false,
        }));
    };
    for sent in sent {
        let at = place(sent);
        let moved = at.is_some_and(|at| at < next);
        if let Some(at) = at.filter(|_| !moved) {
            withheld(&mut out, next, at);
            next = at + 1;
        }
        let stored = at.and_then(|at| Some((at, *store.get(at)?)));
        out.push(Pair { stored, sent: Some(sent), moved });
    }
    withheld(&mut out, next, store.len());
    out
}

fn row(pair: &Pair<'_>, ghost: bool, since: Option<String>, visible: bool) -> SideRow {
    let changed = pair.sent.filter(|sent| sent.transformed);
    let state = match (pair.stored, pair.sent) {
        (Some(_), _) if ghost && visible => SideState::Withheld,
        (Some(_), _) if ghost => SideState::Hidden,
        (None, _) => SideState::Unstored,
        _ if changed.is_some() => SideState::Changed,
        _ => SideState::Same,
    };
    let stored = pair.stored.map(|(_, stored)| stored);
    let sent = pair.sent;
    let parts = changed.map(|sent| {
        let before = stored.and_then(|stored| stored.content.as_deref()).unwrap_or_default();
        compared_text(before, sent.content.as_deref().unwrap_or_default())
    });
    let content = match stored {
        Some(stored) => stored.content.clone(),
        None => sent.and_then(|sent| sent.content.clone()),
    };
    let role = stored.map(|stored| &stored.role).or(sent.map(|sent| &sent.role));
    let tool_calls = match stored {
        Some(stored) => stored.tool_calls.clone(),
        None => sent.map(|sent| sent.tool_calls.clone()).unwrap_or_default(),
    };
    SideRow {
        id: stored.map(|stored| stored.id.clone()),
        role: role.cloned().unwrap_or_default(),
        content,
        tool_calls,
        tool_name: stored.and_then(|stored| stored.tool_name.clone()),
        state,
        since,
        moved: pair.moved,
        sent: changed.and_then(|sent| sent.content.clone()),
        parts: parts.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;
    use serde_json::{Value, json};
    use transcript_core::view::TabRequest;

    fn sides(text: &str, at: usize, without_hidden: bool) -> Value {
        let request = TabRequest::Sides { page: PageRequest { start: None, length: 40 }, without_hidden };
        ReadDocument::new(text).look(at, request).unwrap()
    }

    fn states(answer: &Value) -> Vec<(&str, &str)> {
        let items = answer["items"].as_array().unwrap().iter();
        items.map(|item| (item["id"].as_str().unwrap_or("-"), item["state"].as_str().unwrap())).collect()
    }

    const RUN: &str = include_str!("../../../public/examples/context_management.yaml");

    #[test]
    fn what_was_not_sent_stands_where_the_store_has_it() {
        let answer = sides(RUN, 4, false);
        assert_eq!(
            states(&answer),
            [
                ("msg_001", "same"),
                ("msg_002", "hidden"),
                ("msg_003", "same"),
                ("msg_004", "changed"),
                ("msg_005", "same")
            ]
        );
        assert_eq!(answer["items"][1]["since"], "3");
        assert_eq!(
            (
                &answer["facts"]["store"],
                &answer["facts"]["sent"],
                &answer["facts"]["hidden"],
                &answer["facts"]["changed"]
            ),
            (&json!(5), &json!(4), &json!(1), &json!(1))
        );
        assert_eq!((&answer["facts"]["mode"], &answer["facts"]["tokens"]), (&json!("sent"), &json!(88)));
        let parts = answer["items"][3]["parts"].as_array().unwrap();
        assert!(
            parts.iter().any(|part| part["kind"] == "added" && part["text"].as_str().unwrap().contains("(shortened)")),
            "{parts:?}"
        );
        assert_eq!(states(&sides(RUN, 4, true)).len(), 4);
    }

    #[test]
    fn a_step_that_calls_no_model_shows_what_one_would_see() {
        let answer = sides(RUN, 3, false);
        assert_eq!(
            (&answer["facts"]["mode"], &answer["facts"]["sent"], &answer["facts"]["store"]),
            (&json!("visible"), &json!(4), &json!(5))
        );
        assert_eq!(states(&answer)[1], ("msg_002", "hidden"));
        assert_eq!(sides(RUN, 0, false)["facts"]["hidden"], 0);
    }

    #[test]
    fn another_order_and_messages_never_stored_are_reported() {
        let text = "execution:\n\
            - {turn: 1, type: message, message_created: {id: a, role: user, content: A}}\n\
            - {turn: 2, type: message, message_created: {id: b, role: user, content: B}}\n\
            - {turn: 3, type: llm_call, messages_sent_to_llm: [{ref: b}, {role: system, content: Now}, {ref: a}], llm_response: {content: C}}\n";
        let answer = sides(text, 3, false);
        assert_eq!(states(&answer), [("b", "same"), ("-", "unstored"), ("a", "same")]);
        assert_eq!(answer["items"][2]["moved"], true);
        assert_eq!((&answer["facts"]["storeLength"], &answer["facts"]["sentLength"]), (&json!(2), &json!(5)));
    }
}
