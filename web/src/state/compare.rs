//! Two documents next to each other: the open one and the one that the address names with `b`.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::diff::IGNORE_NAMES;
use transcript_core::document::Limits;
use transcript_core::view::question::Compare;
use transcript_core::view::{self, ChangeView, ComparisonRow, RowKind, UnreadableDocument};

use super::examples::Example;
use super::opening::{self, OpenError, Refusal};
use super::ptr_arc::PtrArc;
use super::route::Source;
use super::workspace::Workspace;
use crate::io::logs_worker::{self, Question};
use crate::io::store::{self, Meta};
use crate::io::workers::WorkerError;
use crate::io::{self, clock, folder};
use crate::strings::{fill, text};

/// The keys of the address.
const OTHER: &str = "b";
const IGNORE: &str = "ig";

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparisonResult {
    /// The rows of the answer, after one for what lies outside the run.
    pub(crate) rows: Vec<ComparisonRow>,
    pub(crate) answer: view::Comparison,
}

impl ComparisonResult {
    fn new(answer: view::Comparison) -> Self {
        let outside = ComparisonRow { kind: RowKind::Changed, left: None, right: None };
        let mut rows = answer.rows.clone();
        if answer.changes.iter().any(|change| is_in_row(change, outside)) {
            rows.insert(0, outside);
        }
        Self { rows, answer }
    }

    /// The differences of a row.
    pub(crate) fn changes(&self, row: ComparisonRow) -> impl Iterator<Item = &ChangeView> {
        self.answer.changes.iter().filter(move |change| is_in_row(change, row))
    }
}

fn is_in_row(change: &ChangeView, row: ComparisonRow) -> bool {
    let number = |step: &Option<String>| step.as_ref().and_then(|step| step.parse().ok());
    (number(&change.left_step), number(&change.right_step)) == (row.left, row.right)
}

/// How far the comparison is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Stage {
    /// Nothing to compare with is chosen.
    #[default]
    Choosing,
    Working,
    /// Whole sentences why there is none.
    Failed(Vec<String>),
    Ready(PtrArc<ComparisonResult>),
}

/// The document on the right.
#[derive(Clone, Debug, PartialEq)]
struct Other {
    name: String,
    text: PtrArc<str>,
}

/// What the view knows. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub(crate) stage: RwSignal<Stage>,
    /// The name of the document on the right.
    pub(crate) name: RwSignal<String>,
    /// Whether rows without a difference are left out.
    pub(crate) only: RwSignal<bool>,
    /// The visible rows.
    pub(crate) rows: Memo<PtrArc<Vec<ComparisonRow>>>,
    /// The place of the selected one among them.
    pub(crate) at: RwSignal<Option<usize>>,
    other: RwSignal<Option<Other>>,
}

impl Comparison {
    pub(super) fn new() -> Self {
        let stage = RwSignal::new(Stage::default());
        let only = RwSignal::new(false);
        let rows = Memo::new(move |_| {
            let rows = stage.with(|stage| match stage {
                Stage::Ready(compared) => compared.rows.clone(),
                _ => Vec::new(),
            });
            let only = only.get();
            PtrArc::new(rows.into_iter().filter(|row| !only || row.kind != RowKind::Same).collect())
        });
        let (at, name, other) = (RwSignal::default(), RwSignal::default(), RwSignal::default());
        Self { stage, name, only, rows, at, other }
    }

    /// How many differences an ignore hides; `None` if it is not in force.
    pub(crate) fn hidden(self, name: &str) -> Option<usize> {
        self.stage.with(|stage| match stage {
            Stage::Ready(compared) => compared
                .answer
                .ignored
                .iter()
                .find(|ignored| ignored.name == name)
                .map(|ignored| ignored.count),
            _ => None,
        })
    }

    /// Selects the next or previous row that differs, and stops at both ends.
    fn to_change(self, forward: bool) -> Option<usize> {
        let at = self.at.get_untracked();
        self.rows.with_untracked(|rows| {
            let differs =
                |(place, row): (usize, &ComparisonRow)| (row.kind != RowKind::Same).then_some(place);
            let rows = rows.iter().enumerate();
            match (at, forward) {
                (None, _) => rows.filter(|(_, row)| row.kind != RowKind::Same).map(|(place, _)| place).next(),
                (Some(at), true) => rows.skip(at + 1).find_map(differs),
                (Some(at), false) => rows.take(at).rev().find_map(differs),
            }
        })
    }
}

impl Workspace {
    /// Keeps the comparison up to date with the address and the texts while its view is shown.
    pub(crate) fn follow_comparison(self) {
        let here = self.compare;
        let other = Memo::new(move |_| self.route.with(|route| route.key(OTHER)));
        Effect::new(move || {
            let Some(source) = other.get() else {
                here.other.set(None);
                here.stage.set(Stage::Choosing);
                self.list_recent();
                return;
            };
            here.stage.set(Stage::Working);
            spawn_local(async move {
                let found = load_source(&source).await;
                if other.try_get_untracked() != Some(Some(source)) {
                    return;
                }
                match found {
                    Ok((name, text)) => here.other.set(Some(Other { name, text: text.into() })),
                    Err(error) => here.stage.set(Stage::Failed(vec![error.to_string()])),
                }
            });
        });
        let ignored = Memo::new(move |_| self.ignored());
        let requests = StoredValue::new(0_u32);
        let made = StoredValue::default();
        Effect::new(move || {
            let (other, ignored) = (here.other.get(), ignored.get());
            let text = self.revision.with(|revision| revision.text.clone());
            let Some(other) = other else { return };
            here.name.set(other.name.clone());
            requests.update_value(|requests| *requests += 1);
            let number = requests.get_value();
            // Another text of the same two keeps the old answer visible until the new one is there.
            if !here.stage.with_untracked(|stage| matches!(stage, Stage::Ready(_))) {
                here.stage.set(Stage::Working);
            }
            let name = self.name.get_untracked();
            spawn_local(async move {
                let files = [name.as_str(), other.name.as_str()];
                let question = Compare { left: &text, right: &other.text, files, ignore: ignored.as_deref() };
                let answer = compare(question, made).await;
                if requests.try_get_value() == Some(number) {
                    self.compared(answer);
                }
            });
        });
        on_cleanup(move || {
            here.other.set(None);
            logs_worker::stop_comparing();
        });
    }

    fn compared(self, answer: Result<view::Comparison, WorkerError>) {
        let here = self.compare;
        let answer = match answer {
            Ok(answer) if answer.ok => answer,
            Ok(answer) => return here.stage.set(Stage::Failed(reasons(&answer.unreadable))),
            Err(error) => return here.stage.set(Stage::Failed(vec![error.to_string()])),
        };
        let before =
            here.at.get_untracked().and_then(|at| here.rows.with_untracked(|rows| rows.get(at).copied()));
        here.stage.set(Stage::Ready(PtrArc::new(ComparisonResult::new(answer))));
        // The row of the step in the address, else the first that differs.
        let step = self.route.with_untracked(|route| route.step.as_deref().map(number_of));
        let step = step.and_then(|number| self.top_step().filter(|step| *step > 0).or(number));
        let wanted = before.and_then(|row| row.left).or(step);
        let at = here.rows.with_untracked(|rows| {
            let of_step = wanted.and_then(|step| rows.iter().position(|row| row.left == Some(step)));
            of_step.or_else(|| rows.iter().position(|row| row.kind != RowKind::Same))
        });
        here.at.set(at);
    }

    /// The step of the run itself that is selected, or in which the selected one is nested.
    fn top_step(self) -> Option<usize> {
        let at = self.at.get_untracked();
        self.steps.with_untracked(|steps| steps.path(at)?.split('.').next()?.parse().ok())
    }

    /// Selects a row of the comparison, and its step on the left with it.
    pub(crate) fn select_row(self, at: usize) {
        self.compare.at.set(Some(at));
        let row = self.compare.rows.with_untracked(|rows| rows.get(at).copied());
        let Some(left) = row.and_then(|row| row.left) else { return };
        let path = left.to_string();
        let place = self.steps.with_untracked(|steps| steps.at_path(&path));
        if let Some(place) = place {
            self.select(place);
        }
    }

    /// Goes to the next or previous row that differs.
    pub(crate) fn step_to_difference(self, forward: bool) {
        if let Some(at) = self.compare.to_change(forward) {
            self.select_row(at);
        }
    }

    /// What is left out, by the address.
    fn ignored(self) -> Option<Vec<String>> {
        let keys = self.route.with(|route| route.key(IGNORE))?;
        Some(keys.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// Whether `name` is left out: by the address, or for these documents.
    pub(crate) fn ignores(self, name: &str) -> bool {
        match self.ignored() {
            Some(ignored) => ignored.iter().any(|known| known == name),
            None => self.compare.hidden(name).is_some(),
        }
    }

    /// Ignores `name`, or compares it again.
    pub(crate) fn toggle_ignored(self, name: &str) {
        let names =
            || IGNORE_NAMES.into_iter().filter(|known| self.ignores(known)).map(str::to_owned).collect();
        let mut ignored = untrack(|| self.ignored().unwrap_or_else(names));
        match ignored.iter().position(|known| known == name) {
            Some(at) => drop(ignored.remove(at)),
            None => ignored.push(name.to_owned()),
        }
        let keys = ignored.join(",");
        self.route.update(|route| *route = route.clone().with_key(IGNORE, Some(&keys)));
        self.write_address();
    }

    /// The address of this view with another document on the right; with none to choose one.
    pub(crate) fn compared_with(self, other: Option<&str>) -> String {
        self.route.with(|route| route.clone().with_key(OTHER, other).to_string())
    }

    /// Puts the right document on the left and the other way round.
    pub(crate) fn swap_sides(self) {
        let mut route = self.route.get_untracked();
        let Some(other) = route.key(OTHER) else { return };
        let left = route.source.to_string();
        route.source = Source::parse(&other);
        route.step = None;
        self.compare.at.set(None);
        self.go(route.with_key(OTHER, Some(&left)));
    }

    /// Keeps a file on this device and compares with it.
    pub(crate) fn compare_with_file(self, brought: folder::FileSelection) {
        let folder::FileSelection::File(file) = brought else { return };
        spawn_local(async move {
            let read = io::files::read(file.clone(), Limits::default().bytes).await;
            let opened = match read {
                Ok(brought)
                    if io::files::is_packed(&brought.bytes) || opening::may_be_cut(&brought.bytes) =>
                {
                    let picked = folder::PickedFile { path: brought.name.clone(), file };
                    let answer = logs_worker::ask_to_compare(Question::Files(vec![picked])).await;
                    match answer.ok().and_then(|answer| answer.name.zip(answer.text)) {
                        Some((name, text)) => Ok((name, opening::unify_line_ends(&text))),
                        None => Err(opening::refusal(&brought.name, &brought.bytes, brought.size).await),
                    }
                }
                Ok(brought) => match opening::decode(&brought.bytes) {
                    Some(decoded) => Ok((brought.name, decoded)),
                    None => Err(opening::refusal(&brought.name, &brought.bytes, brought.size).await),
                },
                Err(file) => Err(file.into()),
            };
            let (name, decoded) = match opened {
                Ok(opened) => opened,
                Err(refusal) => return self.refusal.set(Some(refusal)),
            };
            let id = clock::ulid();
            let meta = Meta {
                id: id.clone(),
                name: name.clone(),
                updated: clock::now(),
                crlf: decoded.crlf,
                base: String::new(),
                caret: 0,
            };
            match store::put(&meta, &decoded.text).await {
                Ok(()) => {
                    let route = self.route.get_untracked().with_key(OTHER, Some(&format!("l:{id}")));
                    self.go(route);
                }
                Err(error) => {
                    let (reason, size) = (error.to_string(), decoded.text.len());
                    self.refusal.set(Some(Refusal { name, reason, help: None, size }));
                }
            }
        });
    }
}

/// The last log of each side with the transcript that was made of it.
type LastTranscripts = [Option<(PtrArc<str>, Option<PtrArc<str>>)>; 2];

/// Compares two texts, each as the transcript that is made of it where it is the log of another program.
async fn compare(
    question: Compare<'_>,
    made: StoredValue<LastTranscripts>,
) -> Result<view::Comparison, WorkerError> {
    let Compare { left, right, files, .. } = question;
    let answer = io::authoring::ask(question).await?;
    let [left_unread, right_unread] =
        files.map(|file| answer.unreadable.iter().any(|document| document.name == file));
    let left_made = if left_unread { transcript_of_log(left, 0, made).await } else { None };
    let right_made = if right_unread { transcript_of_log(right, 1, made).await } else { None };
    if left_made.is_none() && right_made.is_none() {
        return Ok(answer);
    }
    let (left, right) = (left_made.as_deref().unwrap_or(left), right_made.as_deref().unwrap_or(right));
    io::authoring::ask(Compare { left, right, ..question }).await
}

/// The transcript of the log of a side, unless it is none. Of several sessions, that of the one that ended last.
async fn transcript_of_log(
    text: &str,
    side: usize,
    made: StoredValue<LastTranscripts>,
) -> Option<PtrArc<str>> {
    let known = made.try_with_value(|made| made.get(side)?.clone().filter(|(log, _)| **log == *text));
    if let Some((_, transcript)) = known.flatten() {
        return transcript;
    }
    let question = Question::Text(String::new(), text.to_owned(), None);
    let answer = logs_worker::ask_to_compare(question).await.ok()?;
    let transcript = answer.name.and(answer.text).map(PtrArc::from);
    made.try_update_value(|made| {
        if let Some(last) = made.get_mut(side) {
            *last = Some((text.into(), transcript.clone()));
        }
    });
    transcript
}

/// The number of the step of the run itself in an address, as of `t3.t1`: the steps may not be read yet.
fn number_of(step: &str) -> Option<usize> {
    step.split('.').next()?.trim_start_matches('t').parse().ok()
}

/// The name and the text of a document that an address names.
async fn load_source(source: &str) -> Result<(String, String), OpenError> {
    match Source::parse(source) {
        Source::Example(name) => {
            let example = Example::named(&name).ok_or(OpenError::NoExample(name))?;
            let text = example.load().await.map_err(OpenError::ExampleNotLoaded)?;
            Ok((example.file_name(), text))
        }
        Source::Local(id) => {
            let (meta, text) = store::get(&id).await?.ok_or(OpenError::NotKept)?;
            Ok((meta.name, text))
        }
        Source::Inline(payload) => super::inline::unpack(&payload).await.map_err(OpenError::Link),
        Source::Earlier(key) => super::files::earlier_named(&key).await,
        _ => Err(OpenError::UnknownSource(source.to_owned())),
    }
}

/// Why two documents are not compared: of each that cannot be read, the first error.
fn reasons(unreadable: &[UnreadableDocument]) -> Vec<String> {
    let mut reasons_by_file: Vec<(&str, String)> = Vec::new();
    for UnreadableDocument { name, error } in unreadable {
        let Some(error) = error.as_ref().filter(|_| reasons_by_file.iter().all(|(known, _)| known != name))
        else {
            continue;
        };
        let values = [("name", &**name), ("line", &error.line.to_string()), ("message", &error.message)];
        reasons_by_file.push((name, fill(text::compare_unreadable(), &values)));
    }
    let no_run = |document: &UnreadableDocument| fill(text::compare_no_run(), &[("name", &document.name)]);
    if reasons_by_file.is_empty() {
        return unreadable.iter().map(no_run).collect();
    }
    reasons_by_file.into_iter().map(|(_, reason)| reason).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::json;
    use transcript_core::view::UnreadableError;

    #[test]
    fn what_is_outside_the_run_has_a_row_of_its_own() {
        let outside = json!({"path": "metadata.name", "leftStep": null, "rightStep": null});
        let added = json!({"path": "execution[0]", "leftStep": null, "rightStep": "1"});
        let rows = json!([
            {"kind": "same", "left": 0, "right": 0},
            {"kind": "added", "left": null, "right": 1},
        ]);
        let compared = ComparisonResult::new(decode(&json!({"rows": rows, "changes": [outside, added]})));
        let kinds: Vec<RowKind> = compared.rows.iter().map(|row| row.kind).collect();
        assert_eq!(kinds, [RowKind::Changed, RowKind::Same, RowKind::Added]);
        let paths = |at: usize| -> Vec<&str> {
            compared.changes(compared.rows[at]).map(|change| change.path.as_str()).collect()
        };
        assert_eq!((paths(0), paths(1), paths(2)), (vec!["metadata.name"], vec![], vec!["execution[0]"]));
    }

    #[test]
    fn a_document_that_cannot_be_read_is_named_with_its_first_error() {
        let unreadable = |name: &str, line: Option<u32>| UnreadableDocument {
            name: name.to_owned(),
            error: line.map(|line| UnreadableError { line, message: "bad".to_owned() }),
        };
        let reasons_by_file = reasons(&[unreadable("a", Some(2)), unreadable("b", Some(1))]);
        assert_eq!(reasons_by_file.len(), 2);
        assert!(reasons_by_file[0].contains("line 2") && reasons_by_file[1].starts_with("b"));
        assert_eq!(reasons(&[unreadable("a", None)]).len(), 1);
        assert_eq!(reasons(&[unreadable("a", None), unreadable("b", Some(1))]).len(), 1);
    }
}
