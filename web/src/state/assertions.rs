//! The outcomes of the assertions of the document, and new ones made from visible values.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value, json};
use transcript_core::check::Status;
use transcript_core::document::Form;
use transcript_core::edit::Change;
use transcript_core::text::Table;
use transcript_core::view::ListedOutcome;
use transcript_core::view::question::Check;

use super::current::{Freshness, ReadableDocument, Revision};
use super::ptr_arc::PtrArc;
use super::workspace::{Dock, Tab, Workspace};
use crate::io;
use crate::io::workers::WorkerError;
use crate::strings::{fill, text};

/// The outcome of each, or why it is missing; `None` during the first check.
type Outcomes = Option<Result<PtrArc<Vec<ListedOutcome>>, WorkerError>>;

/// The most values of one piece of data that are offered.
const PLACES: usize = 200;

/// The outcomes of the assertions about a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) held: usize,
    pub(crate) failed: usize,
}

/// What an assertion is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AssertionTarget {
    /// The text of a message, by its id.
    Message(String),
    /// The arguments of a call of that tool.
    Arguments(String),
    /// The context.
    Context,
}

/// What is asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssertionOperator {
    Equals,
    Contains,
    Exists,
}

/// A value to make an assertion about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Subject {
    pub(crate) about: AssertionTarget,
    /// A text that is a list or map in JSON is that.
    pub(crate) value: Value,
    /// The part of it that was pointed at, as a JSON pointer.
    pub(crate) path: String,
    /// The selected text, or the whole.
    pub(crate) selected: String,
    /// Where it was pointed at.
    pub(crate) at: (i32, i32),
}

/// The state of the assertions. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AssertionState {
    pub(crate) outcomes: RwSignal<Outcomes>,
    /// Of each step, by its dotted path.
    pub(crate) verdicts: Memo<PtrArc<Table<String, Verdict>>>,
    pub(crate) subject: RwSignal<Option<Subject>>,
    /// Why the last one was not written.
    pub(crate) refused: RwSignal<Option<String>>,
    /// The lines, from 1, of the one written last.
    pub(crate) newest: RwSignal<Option<(u64, u64)>>,
    works: StoredValue<bool>,
}

impl AssertionState {
    pub(super) fn new(revision: RwSignal<Revision>, readable: Memo<ReadableDocument>) -> Self {
        let outcomes = RwSignal::<Outcomes>::default();
        let verdicts = Memo::new(move |_| {
            outcomes.with(|outcomes| match outcomes {
                Some(Ok(outcomes)) => PtrArc::new(verdicts_of(outcomes)),
                _ => PtrArc::new(Table::new()),
            })
        });
        let (subject, refused, newest) = (RwSignal::default(), RwSignal::default(), RwSignal::default());
        let here = Self { outcomes, verdicts, subject, refused, newest, works: StoredValue::new(false) };
        let opening = Memo::new(move |_| revision.with(|revision| revision.opening));
        Effect::new(move || {
            opening.track();
            outcomes.set(None);
            newest.set(None);
        });
        // The text and the steps that it is shown with; what is not read yet is checked when it is. Of a text that
        // broke, the steps before are shown, and so are the outcomes of its assertions.
        let wanted = Memo::new(move |_| {
            let asks = readable.with(|readable| {
                readable.current.is_read
                    && (readable.age != Freshness::Stale || outcomes.with_untracked(Option::is_none))
            });
            asks.then(|| revision.get())
        });
        Effect::new(move || {
            wanted.track();
            if here.works.get_value() {
                return;
            }
            here.works.set_value(true);
            spawn_local(async move {
                while let Some(revision_wanted) = wanted.get_untracked() {
                    // Only a transcript has assertions, whatever the keys of other files are.
                    let is_run = readable.with_untracked(|readable| readable.current.form != Form::Unknown);
                    let result = match is_run {
                        true => outcomes_of(&revision_wanted.text).await,
                        false => Ok(PtrArc::new(Vec::new())),
                    };
                    if wanted.with_untracked(|wanted| *wanted == Some(revision_wanted)) {
                        outcomes.set(Some(result));
                        break;
                    }
                }
                here.works.set_value(false);
            });
        });
        here
    }

    /// How many hold, and of how many; nothing for a document without assertions.
    pub(crate) fn total(self) -> Option<(usize, usize)> {
        self.outcomes.with(|outcomes| match outcomes {
            Some(Ok(outcomes)) if !outcomes.is_empty() => {
                let held = outcomes.iter().filter(|outcome| outcome.status == Status::Passed).count();
                Some((held, outcomes.len()))
            }
            _ => None,
        })
    }
}

/// Asks only about a text that may have assertions: most have none, and the worker is large.
async fn outcomes_of(text: &str) -> Result<PtrArc<Vec<ListedOutcome>>, WorkerError> {
    if !text.contains("assertions") && !text.contains("expect") {
        return Ok(PtrArc::new(Vec::new()));
    }
    Ok(PtrArc::new(io::authoring::ask(Check { text }).await?.outcomes))
}

fn verdicts_of(outcomes: &[ListedOutcome]) -> Table<String, Verdict> {
    let mut verdicts = Table::new();
    for outcome in outcomes {
        let mut steps: Vec<&str> =
            outcome.evidence.iter().filter_map(|evidence| evidence.step.as_deref()).collect();
        steps.sort_unstable();
        steps.dedup();
        for step in steps {
            let verdict: &mut Verdict = verdicts.entry(step.to_owned()).or_default();
            verdict.held += usize::from(outcome.status == Status::Passed);
            verdict.failed += usize::from(outcome.status == Status::Failed);
        }
    }
    verdicts
}

impl Workspace {
    /// How the assertions about the step of that path ended.
    pub(crate) fn verdict(self, path: &str) -> Verdict {
        self.assertions.verdicts.with(|verdicts| verdicts.get(path).copied().unwrap_or_default())
    }

    /// The rows of the steps with a failed assertion, in order.
    pub(super) fn failed_rows(self) -> Vec<usize> {
        let verdicts = self.assertions.verdicts.get_untracked();
        let failed = verdicts.iter().filter(|(_, verdict)| verdict.failed > 0);
        let mut rows: Vec<usize> =
            self.steps.with_untracked(|steps| failed.filter_map(|(path, _)| steps.at_path(path)).collect());
        rows.sort_unstable();
        rows
    }

    /// Writes an assertion about the part of the subject at `path`, and shows the outcome.
    pub(crate) fn assert(self, subject: &Subject, path: &str, how: AssertionOperator, pattern: &str) {
        let Some(value) = assertion(&subject.about, &subject.value, path, how, pattern) else { return };
        let here = self.assertions;
        here.refused.set(None);
        spawn_local(async move {
            let before = self.draft.get_untracked();
            // Behind the last one.
            let change = Change::SetAssertion { index: usize::MAX, value: Some(value) };
            match self.change(vec![change]).await {
                Err(error) => {
                    here.refused.set(Some(fill(text::not_changed(), &[("reason", &error.to_string())])));
                }
                Ok(_) => {
                    let lines = self.draft.with_untracked(|after| new_lines(&before, after));
                    here.newest.set(Some(lines));
                    here.subject.set(None);
                    self.dock.set(Dock::Assertions);
                    self.tab.set(Tab::Problems);
                }
            }
        });
    }
}

/// The first and the last line, from 1, of what `after` has and `before` has not.
fn new_lines(before: &str, after: &str) -> (u64, u64) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (same as u64 + 1, (new.len() - tail).max(same + 1) as u64)
}

/// The places in a value, as JSON pointers, the whole first.
pub(crate) fn places(value: &Value) -> Vec<String> {
    fn add(value: &Value, path: &str, out: &mut Vec<String>) {
        if out.len() >= PLACES {
            return;
        }
        out.push(path.to_owned());
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    add(value, &step_into(path, key), out);
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    add(item, &step_into(path, &at.to_string()), out);
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    add(value, "", &mut out);
    out
}

/// The JSON pointer of an entry.
pub(crate) fn step_into(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The part of the value of a message: a text that is a list or map in JSON is that.
pub(crate) fn data_of(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(data @ (Value::Object(_) | Value::Array(_))) => data,
        _ => Value::String(text.to_owned()),
    }
}

/// The assertion as a document has it; `None` where no type expresses it.
pub(crate) fn assertion(
    about: &AssertionTarget,
    value: &Value,
    path: &str,
    how: AssertionOperator,
    pattern: &str,
) -> Option<Value> {
    let part = value.pointer(path)?;
    if how == AssertionOperator::Contains && pattern.is_empty() {
        return None;
    }
    let below = |root: &str| in_expression(root, value, path);
    let expression = |expression: String| Some(json!({ "type": "expr", "expr": expression }));
    let any_call = |tool: &str, holds: String| {
        expression(format!("length(calls[?name == {} && {holds}]) > `0`", literal(&tool.into())))
    };
    let holds = |root: &str| format!("contains(to_string({}), {})", below(root), literal(&pattern.into()));
    match (about, how) {
        (AssertionTarget::Message(id), AssertionOperator::Contains) if path.is_empty() => {
            Some(json!({ "type": "contains", "message": id, "pattern": pattern }))
        }
        (AssertionTarget::Message(id), AssertionOperator::Equals) if path.is_empty() => {
            Some(json!({ "type": "equals", "message": id, "value": part }))
        }
        (AssertionTarget::Message(id), AssertionOperator::Exists) if path.is_empty() => {
            expression(format!("length(messages[?id == {}]) > `0`", literal(&id.as_str().into())))
        }
        (AssertionTarget::Message(id), AssertionOperator::Contains) => {
            Some(json!({ "type": "json_path", "message": id, "path": holds("@") }))
        }
        (AssertionTarget::Message(_), _) if matches!(part, Value::Null) => None,
        (AssertionTarget::Message(id), AssertionOperator::Equals) => {
            Some(json!({ "type": "json_path", "message": id, "path": below(""), "value": part }))
        }
        (AssertionTarget::Message(_), AssertionOperator::Exists) if *part == Value::Bool(false) => None,
        (AssertionTarget::Message(id), AssertionOperator::Exists) => {
            Some(json!({ "type": "json_path", "message": id, "path": below("") }))
        }
        (AssertionTarget::Arguments(tool), AssertionOperator::Equals) => match nested(value, path) {
            Some(parameters) => {
                Some(json!({ "type": "tool_called", "tool": tool, "parameters": parameters }))
            }
            None => any_call(tool, format!("{} == {}", below("arguments"), literal(part))),
        },
        (AssertionTarget::Arguments(tool), AssertionOperator::Exists) if path.is_empty() => {
            Some(json!({ "type": "tool_called", "tool": tool }))
        }
        (AssertionTarget::Arguments(tool), AssertionOperator::Exists) => {
            any_call(tool, format!("type({}) != 'null'", below("arguments")))
        }
        (AssertionTarget::Arguments(tool), AssertionOperator::Contains) => any_call(tool, holds("arguments")),
        (AssertionTarget::Context, AssertionOperator::Contains) => expression(holds("context")),
        (AssertionTarget::Context, _) if path.is_empty() => None,
        (AssertionTarget::Context, AssertionOperator::Exists) => {
            expression(format!("type({}) != 'null'", below("context")))
        }
        (AssertionTarget::Context, AssertionOperator::Equals) => {
            match path.strip_prefix('/').filter(|key| !key.contains('/')) {
                Some(key) => {
                    let key = key.replace("~1", "/").replace("~0", "~");
                    Some(json!({ "type": "context_value", "key": key, "value": part }))
                }
                None => expression(format!("{} == {}", below("context"), literal(part))),
            }
        }
    }
}

/// The keys of a JSON pointer.
fn keys(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect()
}

/// The part at `path` in nested maps of `value`; `None` inside a list, or for no map.
fn nested(value: &Value, path: &str) -> Option<Value> {
    let mut here = value;
    for key in keys(path) {
        here = here.as_object()?.get(&key)?;
    }
    let around = |inner, key| Value::Object(Map::from_iter([(key, inner)]));
    let whole = keys(path).into_iter().rev().fold(here.clone(), around);
    whole.is_object().then_some(whole)
}

/// The part at `path` in JMESPath, from `root` on.
fn in_expression(root: &str, value: &Value, path: &str) -> String {
    let mut out = root.to_owned();
    let mut here = Some(value);
    for key in keys(path) {
        if here.is_some_and(Value::is_array) {
            out.push_str(&format!("[{key}]"));
        } else {
            let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let dot = if out.is_empty() { "" } else { "." };
            let key = if plain { key.clone() } else { Value::from(key.as_str()).to_string() };
            out.push_str(&format!("{dot}{key}"));
        }
        here = here.and_then(|here| match here {
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            other => other.get(&key),
        });
    }
    out
}

/// A value in JMESPath.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) if !text.contains(['\'', '\\']) => format!("'{text}'"),
        value => format!("`{}`", value.to_string().replace('`', "\\`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use transcript_core::document::{Document, Limits};
    use transcript_core::view::OutcomeList;

    const RUN: &str = "\
context: {city: {name: Rome}, 'odd key': 1}
messages:
  - 'user: What is it''s like?'
  - \"assistant:call weather(location='NYC', days=[1, 2], at={hour: 9})\"
  - 'tool:weather: {temp: 72, sky: {clear: false, names: [sun, none]}}'
  - 'assistant: It''s 72°F'
";

    #[track_caller]
    fn check(
        about: AssertionTarget,
        value: Value,
        path: &str,
        how: AssertionOperator,
        pattern: &str,
        kind: &str,
    ) {
        let made = assertion(&about, &value, path, how, pattern).unwrap();
        assert_eq!(made["type"], kind, "{made}");
        let mut text = RUN.to_owned();
        text.push_str(&format!("assertions: [{made}]\n"));
        let document = Document::open(&text, &Limits::default());
        let outcomes = document.check();
        assert_eq!(outcomes.len(), 1, "{text}\n{:?}", document.diagnostics());
        let status = serde_json::to_value(outcomes[0].status).unwrap();
        assert_eq!(status, "passed", "{made}: {}", outcomes[0].message);
    }

    /// An assertion made from a run holds in it, whatever its target.
    #[test]
    fn what_is_made_of_a_value_holds() {
        let message = || (AssertionTarget::Message("msg_004".to_owned()), Value::from("It's 72°F"));
        let ((about, value), pattern) = (message(), "72°F");
        check(about.clone(), value.clone(), "", AssertionOperator::Equals, pattern, "equals");
        check(about.clone(), value.clone(), "", AssertionOperator::Contains, pattern, "contains");
        check(about, value, "", AssertionOperator::Exists, pattern, "expr");
        let result = data_of(r#"{"temp": 72, "sky": {"clear": false, "names": ["sun", "none"]}}"#);
        let about = || AssertionTarget::Message("msg_003".to_owned());
        check(about(), result.clone(), "", AssertionOperator::Equals, "", "equals");
        check(about(), result.clone(), "/temp", AssertionOperator::Equals, "", "json_path");
        check(about(), result.clone(), "/sky/names/0", AssertionOperator::Equals, "", "json_path");
        check(about(), result.clone(), "/sky/names/0", AssertionOperator::Contains, "su", "json_path");
        check(about(), result.clone(), "/sky/names", AssertionOperator::Exists, "", "json_path");
        check(about(), result, "/sky/clear", AssertionOperator::Equals, "", "json_path");
        let called = || AssertionTarget::Arguments("weather".to_owned());
        let arguments = json!({"location": "NYC", "days": [1, 2], "at": {"hour": 9}});
        check(called(), arguments.clone(), "", AssertionOperator::Equals, "", "tool_called");
        check(called(), arguments.clone(), "", AssertionOperator::Exists, "", "tool_called");
        check(called(), arguments.clone(), "/location", AssertionOperator::Equals, "", "tool_called");
        check(called(), arguments.clone(), "/at/hour", AssertionOperator::Equals, "", "tool_called");
        check(called(), arguments.clone(), "/days/1", AssertionOperator::Equals, "", "expr");
        check(called(), arguments.clone(), "/location", AssertionOperator::Contains, "NY", "expr");
        check(called(), arguments, "/at/hour", AssertionOperator::Exists, "", "expr");
        let context = json!({"city": {"name": "Rome"}, "odd key": 1});
        check(
            AssertionTarget::Context,
            context.clone(),
            "/odd key",
            AssertionOperator::Equals,
            "",
            "context_value",
        );
        check(AssertionTarget::Context, context.clone(), "/odd key", AssertionOperator::Exists, "", "expr");
        check(AssertionTarget::Context, context.clone(), "/city/name", AssertionOperator::Equals, "", "expr");
        check(AssertionTarget::Context, context, "/city", AssertionOperator::Contains, "Ro", "expr");
    }

    #[test]
    fn what_no_type_says_is_not_offered() {
        let context = json!({"a": null});
        assert_eq!(assertion(&AssertionTarget::Context, &context, "", AssertionOperator::Equals, ""), None);
        assert_eq!(
            assertion(&AssertionTarget::Context, &context, "/a", AssertionOperator::Contains, ""),
            None
        );
        assert_eq!(assertion(&AssertionTarget::Context, &context, "/b", AssertionOperator::Exists, ""), None);
        let message = AssertionTarget::Message("m".to_owned());
        assert_eq!(assertion(&message, &context, "/a", AssertionOperator::Equals, ""), None);
    }

    #[test]
    fn every_place_in_a_value_is_named() {
        let value = json!({"a/b": [1, {"c~": 2}]});
        assert_eq!(places(&value), ["", "/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b/1/c~0"]);
        assert_eq!(value.pointer("/a~1b/1/c~0"), Some(&json!(2)));
        assert_eq!(in_expression("arguments", &value, "/a~1b/1/c~0"), r#"arguments."a/b"[1]."c~""#);
        assert_eq!(literal(&json!("it's `so`")), r#"`"it's \`so\`"`"#);
    }

    #[test]
    fn the_lines_of_a_new_assertion_are_known() {
        assert_eq!(new_lines("a\nb\n", "a\nb\nassertions:\n  - x\n"), (3, 4));
        assert_eq!(new_lines("a: []\nb\n", "a: [x]\nb\n"), (1, 1));
        assert_eq!(new_lines("- x\n- x\n", "- x\n- x\n- x\n"), (3, 3));
    }

    #[test]
    fn verdicts_are_counted_once_for_each_step() {
        let answer = json!({"outcomes": [
            {"status": "failed", "evidence": [{"step": "2"}, {"step": "2"}]},
            {"status": "passed", "evidence": [{"step": "2"}, {"path": "tokens"}]},
            {"status": "error", "evidence": []},
        ]});
        let verdicts = verdicts_of(&decode::<OutcomeList>(&answer).outcomes);
        assert_eq!(verdicts.get("2"), Some(&Verdict { held: 1, failed: 1 }));
        assert_eq!(verdicts.len(), 1);
    }
}
