//! How the request of a model call differs from that of the call before it.

use serde_json::{Map, Value};

use super::detail::{changes, sent_view};
use super::{PageRequest, PromptChange, PromptChangeKind, PromptFacts, SentView, TabList, compared_text};
use crate::document::{Document, Run};
use crate::model::{Transcript, Turn, TurnKind};
use crate::replay::Timeline;
use crate::text::{JsonMap, json, json_line, sort_by};

/// A message that both requests have not in common: what happened, and its places in the request before and in this one.
type Found = (PromptChangeKind, Option<usize>, Option<usize>);

impl Document {
    /// What the request of the step with this path has that the request before it had not, and the other way around; `None` for a
    /// step that calls no model.
    #[must_use]
    pub fn prompt_changes(
        &self,
        path: &str,
        page: PageRequest,
    ) -> Option<TabList<PromptFacts, PromptChange>> {
        let place = self.find(path)?;
        let timeline = &place.run.timeline;
        let turn = timeline.turn_at(place.step).filter(|turn| is_model_call(turn))?;
        let mut facts = PromptFacts::default();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        if let Some((step, before)) = previous_call(timeline, place.step, turn) {
            facts.previous = Some(format!("{}{step}", place.prefix));
            let [earlier, later] = [before, turn].map(|turn| settings(timeline.transcript(), turn));
            facts.settings = changes(&earlier, &later);
            let [earlier, later] = [step, place.step].map(|step| sent_messages(place.run, step));
            facts.is_recorded = earlier.is_some() && later.is_some();
            (left, right) = earlier.zip(later).unwrap_or_default();
        }
        let found = compare(&left, &right, &mut facts);
        Some(TabList::new(&found, page, facts, |&(kind, a, b)| {
            change(kind, a.and_then(|a| left.get(a)), b.and_then(|b| right.get(b)))
        }))
    }
}

fn is_model_call(turn: &Turn) -> bool {
    turn.kind.value == TurnKind::LlmCall
}

/// The model call before a step, of the same agent, with its step.
fn previous_call<'t>(timeline: &'t Timeline, step: usize, turn: &Turn) -> Option<(usize, &'t Turn)> {
    let before = timeline.transcript().turns.get(..step.checked_sub(1)?)?;
    let at = before.iter().rposition(|other| is_model_call(other) && other.speaker() == turn.speaker())?;
    Some((at + 1, before.get(at)?))
}

fn sent_messages(run: &Run, step: usize) -> Option<Vec<SentView>> {
    let sent = run.timeline.sent(step)?;
    Some(sent.iter().filter_map(|sent| sent_view(run, sent)).collect())
}

/// The model and the settings of a call, and each of its tools.
fn settings(transcript: &Transcript, turn: &Turn) -> Map<String, Value> {
    let mut out = transcript.agent_settings(turn);
    out.shift_remove("context");
    out.extend(turn.config.clone());
    match out.shift_remove("tools") {
        Some(Value::Array(tools)) => {
            for tool in tools {
                let named = tool.get("function").unwrap_or(&tool);
                let name = named.as_str().or_else(|| named.get("name")?.as_str());
                let key = format!("tools.{}", name.unwrap_or_default());
                out.insert(key, tool);
            }
        }
        Some(other) => out.put("tools", other),
        None => {}
    }
    out
}

/// The messages that are not the same, in the order of the later request. Removed ones are in front of what follows them.
fn compare(left: &[SentView], right: &[SentView], facts: &mut PromptFacts) -> Vec<Found> {
    let mut known: Vec<(String, usize)> = left.iter().map(identity).zip(0..).collect();
    sort_by(&mut known, |a, b| a.cmp(b));
    let mut is_left_over = vec![true; left.len()];
    // The place in the earlier request of each message of the later one.
    let mut from = Vec::new();
    for message in right {
        let identity = identity(message);
        let start = known.partition_point(|(known, _)| *known < identity);
        let same = known.get(start..).unwrap_or_default().iter().take_while(|(known, _)| *known == identity);
        let place = same.map(|(_, a)| *a).find(|a| is_left_over.get(*a) == Some(&true));
        if let Some(taken) = place.and_then(|a| is_left_over.get_mut(a)) {
            *taken = false;
        }
        from.push(place);
    }
    let in_order = in_order(&from);
    let anchors = from.iter().zip(&in_order).enumerate();
    let anchors = anchors.filter_map(|(b, (a, in_order))| a.filter(|_| *in_order).zip(Some(b)));
    let mut found = Vec::new();
    let (mut next_a, mut next_b) = (0, 0);
    for (a, b) in anchors.chain([(left.len(), right.len())]) {
        let gone: Vec<usize> = (next_a..a).filter(|a| is_left_over.get(*a) == Some(&true)).collect();
        let mut gone = gone.as_slice();
        let mut rest = Vec::new();
        for b in next_b..b {
            let moved = from.get(b).copied().flatten();
            let pair = moved.or_else(|| match gone {
                [a, others @ ..] if may_be_same(left.get(*a), right.get(b)) => {
                    gone = others;
                    Some(*a)
                }
                _ => None,
            });
            let kind = match (pair, are_same(pair.and_then(|a| left.get(a)), right.get(b))) {
                (None, _) => PromptChangeKind::Added,
                (_, false) => PromptChangeKind::Changed,
                (_, true) if moved.is_some() => PromptChangeKind::Moved,
                (_, true) => {
                    facts.same += 1;
                    continue;
                }
            };
            rest.push((kind, pair, Some(b)));
        }
        found.extend(gone.iter().map(|a| (PromptChangeKind::Removed, Some(*a), None)));
        found.append(&mut rest);
        match are_same(left.get(a), right.get(b)) {
            true => facts.same += usize::from(b < right.len()),
            false => found.push((PromptChangeKind::Changed, Some(a), Some(b))),
        }
        (next_a, next_b) = (a + 1, b + 1);
    }
    for (kind, ..) in &found {
        *match kind {
            PromptChangeKind::Added => &mut facts.added,
            PromptChangeKind::Removed => &mut facts.removed,
            PromptChangeKind::Changed => &mut facts.changed,
            PromptChangeKind::Moved => &mut facts.moved,
        } += 1;
    }
    found
}

/// Which numbers are in the longest row of them that increases.
fn in_order(numbers: &[Option<usize>]) -> Vec<bool> {
    // The place of the least last number of a row of each length, and the place before each in its row.
    let (mut ends, mut before) = (Vec::new(), Vec::new());
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end: &usize| numbers.get(*end) < Some(number));
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            _ if number.is_none() => {}
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut out = vec![false; numbers.len()];
    let mut at = ends.last().copied();
    while let Some(place) = at {
        if let Some(is_in) = out.get_mut(place) {
            *is_in = true;
        }
        at = before.get(place).copied().flatten();
    }
    out
}

/// What a message is known by: its id, or all that it has if it was never stored.
fn identity(message: &SentView) -> String {
    match &message.id {
        Some(id) => format!("#{id}"),
        None => {
            let parts = json!([message.role, message.content, message.tool_calls]);
            json_line(&parts)
        }
    }
}

/// Whether two messages in the same place may be one. Two that were stored have different ids.
fn may_be_same(left: Option<&SentView>, right: Option<&SentView>) -> bool {
    let both = left.zip(right);
    both.is_some_and(|(left, right)| left.role == right.role && (left.id.is_none() || right.id.is_none()))
}

fn are_same(left: Option<&SentView>, right: Option<&SentView>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => {
            left.role == right.role && left.content == right.content && left.tool_calls == right.tool_calls
        }
        _ => left.is_none() && right.is_none(),
    }
}

fn change(kind: PromptChangeKind, before: Option<&SentView>, after: Option<&SentView>) -> PromptChange {
    let parts = match (kind, before, after) {
        (PromptChangeKind::Changed, Some(before), Some(after)) => {
            let with_calls = before.tool_calls != after.tool_calls;
            compared_text(&whole_text(before, with_calls), &whole_text(after, with_calls))
        }
        _ => Vec::new(),
    };
    let Some(SentView { id, role, content, tool_calls, .. }) = after.or(before).cloned() else {
        return PromptChange { kind, ..PromptChange::default() };
    };
    PromptChange { kind, id, role, content, tool_calls, parts }
}

/// The text of a message, followed by its calls if these are compared, too.
fn whole_text(message: &SentView, with_calls: bool) -> String {
    let mut out = message.content.as_deref().unwrap_or_default().to_owned();
    if with_calls {
        out.push('\n');
        out.push_str(&json_line(&json!(message.tool_calls)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;
    use crate::view::ChangeKind::{Added, Changed, Removed};
    use crate::view::{ChangeKind, ComparedPartKind};

    const PAGE: PageRequest = PageRequest { start: Some(0), length: 40 };

    /// The facts, and each change as its sign, its id and its text.
    fn found(text: &str, path: &str) -> (PromptFacts, Vec<String>) {
        let document = Document::open(text, &Limits::default());
        let answer = document.prompt_changes(path, PAGE).unwrap();
        let line = |change: &PromptChange| {
            let sign = match change.kind {
                PromptChangeKind::Added => '+',
                PromptChangeKind::Removed => '-',
                PromptChangeKind::Changed => '~',
                PromptChangeKind::Moved => '>',
            };
            let id = change.id.as_deref().unwrap_or("?");
            format!("{sign} {id} {}", change.content.as_deref().unwrap_or_default())
        };
        (answer.facts, answer.items.iter().map(line).collect())
    }

    /// A run with the messages a to e in its store, and a model call for each list of what it was sent.
    fn calls(sent: &[&str]) -> String {
        let store: String = ["a", "b", "c", "d", "e"]
            .map(|id| format!("    - {{id: {id}, role: user, content: Text {id}}}\n"))
            .concat();
        let call = |(at, sent): (usize, &&str)| {
            format!(
                "  - {{turn: {}, type: llm_call, messages_sent_to_llm: [{sent}], llm_response: {{content: Yes}}}}\n",
                at + 1
            )
        };
        let calls: String = sent.iter().enumerate().map(call).collect();
        format!("initial_state:\n  message_store:\n{store}execution:\n{calls}")
    }

    #[test]
    fn the_usual_request_has_a_few_messages_more() {
        let text = "messages: ['system: Be kind', 'user: Hi', 'assistant: Hello', 'user: How are you?', 'assistant: Fine']";
        let (facts, changes) = found(text, "3");
        assert_eq!(changes, ["+ msg_003 Hello", "+ msg_004 How are you?"]);
        assert_eq!((facts.previous.as_deref(), facts.added, facts.same), (Some("1"), 2, 2));
        assert_eq!((facts.removed, facts.changed, facts.moved, facts.settings), (0, 0, 0, vec![]));
    }

    #[test]
    fn the_first_call_has_none_before_it_and_other_steps_have_no_request() {
        let text = "messages: ['user: Hi', 'assistant: Hello', 'user: Bye']";
        assert_eq!(found(text, "1"), (PromptFacts::default(), vec![]));
        let document = Document::open(text, &Limits::default());
        assert!(document.prompt_changes("0", PAGE).is_none());
        assert!(document.prompt_changes("2", PAGE).is_none());
    }

    #[test]
    fn the_same_messages_are_no_change() {
        let (facts, changes) = found(&calls(&["{ref: a}, {ref: b}", "{ref: a}, {ref: b}"]), "2");
        assert_eq!((changes.len(), facts.same, facts.is_recorded), (0, 2, true));
    }

    #[test]
    fn removed_messages_stand_where_they_were() {
        let sent = ["{ref: a}, {ref: b}, {ref: c}", "{ref: a}, {ref: d}, {ref: c}, {ref: e}"];
        let (facts, changes) = found(&calls(&sent), "2");
        assert_eq!(changes, ["- b Text b", "+ d Text d", "+ e Text e"]);
        assert_eq!((facts.removed, facts.added, facts.same), (1, 2, 2));
    }

    #[test]
    fn another_order_is_the_least_number_of_moves() {
        let sent = ["{ref: a}, {ref: b}, {ref: c}, {ref: d}", "{ref: d}, {ref: a}, {ref: b}, {ref: c}"];
        let (facts, changes) = found(&calls(&sent), "2");
        assert_eq!(changes, ["> d Text d"]);
        assert_eq!((facts.moved, facts.same, facts.added, facts.removed), (1, 3, 0, 0));
    }

    #[test]
    fn a_message_of_the_same_id_with_another_text_has_changed() {
        let sent = ["{ref: a}, {ref: b}", "{ref: a, content: Text a in short}, {ref: b}"];
        let text = calls(&sent);
        let (facts, changes) = found(&text, "2");
        assert_eq!((changes, facts.changed, facts.same), (vec!["~ a Text a in short".to_owned()], 1, 1));
        let document = Document::open(&text, &Limits::default());
        let parts = document.prompt_changes("2", PAGE).unwrap().items.remove(0).parts;
        let parts: Vec<_> = parts.iter().map(|part| (part.kind, part.text.as_str())).collect();
        assert_eq!(parts, [(ComparedPartKind::Same, "Text a"), (ComparedPartKind::Added, " in short")]);
    }

    #[test]
    fn messages_that_were_never_stored_are_known_by_what_they_say() {
        let system = |time: &str| format!("{{role: system, content: 'The time is {time}'}}, {{ref: a}}");
        let other = "{role: system, content: Answer in French}, {ref: a}";
        let text = calls(&[&system("12:00"), &system("12:00"), &system("12:05"), other]);
        assert_eq!(found(&text, "2").0.same, 2);
        assert_eq!(found(&text, "3").1, ["~ ? The time is 12:05"]);
        // In the same place, a text with nothing in common is the same message, too.
        assert_eq!(found(&text, "4").1, ["~ ? Answer in French"]);
        // A message is the same, whether it was stored or not.
        let text = calls(&["{ref: a}, {ref: b}", "{role: user, content: Text a}, {ref: b}"]);
        assert_eq!(found(&text, "2").1, Vec::<String>::new());
    }

    #[test]
    fn other_calls_of_tools_are_a_change() {
        let call = |city: &str| {
            let call = format!("{{id: c1, function: {{name: weather, arguments: {{city: {city}}}}}}}");
            format!("{{role: assistant, content: I look it up now, tool_calls: [{call}]}}")
        };
        let (facts, changes) = found(&calls(&[&call("Rome"), &call("Oslo")]), "2");
        assert_eq!((facts.changed, changes), (1, vec!["~ ? I look it up now".to_owned()]));
    }

    #[test]
    fn changed_settings_are_listed_with_tools_by_name() {
        let text = "\
agent_config: {model: gpt-4, temperature: 0, tools: [search, {name: weather, description: Now}]}
execution:
  - {turn: 1, type: llm_call, llm_response: {content: Yes}}
  - {turn: 2, type: llm_call, llm_config: {model: gpt-5, top_p: 1, tools: [{name: weather, description: Today}, read]},
     llm_response: {content: Yes}}
  - {turn: 3, type: llm_call, llm_config: {temperature: 1}, llm_response: {content: Yes}}
";
        let keys = |path: &str| {
            let (facts, _) = found(text, path);
            assert!(!facts.is_recorded);
            facts.settings.into_iter().map(|change| (change.key, change.kind)).collect::<Vec<_>>()
        };
        let expected = |list: &[(&str, ChangeKind)]| {
            list.iter().map(|(key, kind)| ((*key).to_owned(), *kind)).collect::<Vec<_>>()
        };
        assert_eq!(
            keys("2"),
            expected(&[
                ("model", Changed),
                ("top_p", Added),
                ("tools.weather", Changed),
                ("tools.read", Added),
                ("tools.search", Removed),
            ])
        );
        assert_eq!(keys("3")[..2], expected(&[("model", Changed), ("temperature", Changed)]));
    }

    #[test]
    fn the_call_before_is_one_of_the_same_agent() {
        let text = "\
agents: {ada: {}, bob: {}}
execution:
  - {turn: 1, type: llm_call, agent: ada, llm_response: {content: Yes}}
  - {turn: 2, type: llm_call, agent: bob, llm_response: {content: Yes}}
  - {turn: 3, type: llm_call, agent: ada, llm_error: {message: Too many requests}}
  - {turn: 4, type: llm_call, agent: ada, llm_response: {content: Yes}}
";
        let previous = |path: &str| found(text, path).0.previous;
        assert_eq!(["2", "3", "4"].map(previous), [None, Some("1".to_owned()), Some("3".to_owned())]);
    }

    #[test]
    fn long_requests_are_compared_item_by_item() {
        let view = |id: usize| SentView {
            id: Some(format!("m{id}").into()),
            role: "user".into(),
            content: Some(format!("m{id} ").repeat(50).into()),
            tool_calls: [].into(),
            transformed: false,
        };
        let left: Vec<SentView> = (0..10_000).map(view).collect();
        let mut right: Vec<SentView> = (0..10_003).filter(|id| id % 1000 != 7).map(view).collect();
        right.swap(100, 200);
        let mut facts = PromptFacts::default();
        let found = compare(&left, &right, &mut facts);
        assert_eq!((facts.added, facts.removed, facts.moved, facts.changed), (3, 10, 2, 0));
        assert_eq!((found.len(), facts.same), (15, 9_988));
        // Nothing in common, as after a summary of all.
        let other: Vec<SentView> = (20_000..30_000).map(view).collect();
        let mut facts = PromptFacts::default();
        assert_eq!(compare(&left, &other, &mut facts).len(), 20_000);
        assert_eq!((facts.removed, facts.added), (10_000, 10_000));
    }
}
