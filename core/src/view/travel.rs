//! Time travel as plain data: what changed between two steps, and a run changed at a step.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::step::{Change, ChangeKind};
use crate::diagnostic::InvalidInput;
use crate::document::{Document, content_text};
use crate::model::{Text, Transcript};
use crate::replay::{ContextChange, Stored};
use crate::travel::{self, DroppedStep, Rerun, RerunOptions, StepMark, TravelResult, travel};
use crate::write;

/// What is different after one step from what was after another.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StateChanges"))]
#[serde(rename_all = "camelCase")]
pub struct BetweenSteps {
    /// The path of the first step.
    pub from: String,
    /// The path of the other.
    pub to: String,
    /// The keys of the context that have another value.
    pub context: Vec<Change>,
    /// The same of the contexts that agents have of their own, by agent; absent where none has changed.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "serialize_agents",
        deserialize_with = "deserialize_agents"
    )]
    #[cfg_attr(feature = "typescript", ts(as = "std::collections::BTreeMap<String, Vec<Change>>"))]
    pub agents: Vec<(String, Vec<Change>)>,
    /// The messages that came into the store, oldest first.
    pub stored: Vec<StoredBetween>,
    /// The messages that are not yet in the store, where the other step comes before.
    pub removed: Vec<StoredBetween>,
    /// The messages, there at both steps, that were hidden or shown.
    pub visibility: Vec<VisibilityBetween>,
}

/// A message that came between two steps.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StoredMessage"))]
#[serde(rename_all = "camelCase")]
pub struct StoredBetween {
    /// Its id.
    pub id: Text,
    /// The path of the step that created it.
    pub step: String,
    /// Its role.
    pub role: String,
    /// Its text; `None` when it has no content.
    pub content: Option<Text>,
    /// Whether the model can see it after the later of the two steps.
    pub visible: bool,
}

/// A message that was hidden or shown between two steps.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VisibilityChange"))]
#[serde(rename_all = "camelCase")]
pub struct VisibilityBetween {
    /// Its id.
    pub id: Text,
    /// Whether the model can see it after the second step.
    pub visible: bool,
}

/// A changed run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TravelResult"))]
#[serde(rename_all = "camelCase")]
pub struct TravelAnswer {
    /// Whether the changes were made.
    pub ok: bool,
    /// Whether every step of the new run holds.
    pub holds: bool,
    /// The new run as YAML in the full form; `None` when the changes were not made. In a long run, a call that was sent all
    /// visible messages has `visible` instead of their list.
    pub text: Option<String>,
    /// What became of each step.
    pub marks: Vec<StepMark>,
    /// The steps that are gone for what was changed.
    pub dropped: Vec<DroppedStep>,
    /// What else was changed, in sentences.
    pub notes: Vec<String>,
    /// Why there is no new run.
    pub problem: Option<TravelProblem>,
}

/// Why a run was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TravelProblem {
    /// The number of the change that is in the way, from 0, if it is one.
    pub change: Option<usize>,
    /// What is in the way.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

impl Document {
    /// What is different after the step `to` from what was after the step `from`, which may come behind it. Both are
    /// paths in one run, such as `2` and `5`, or `2.1` and `2.3`. The cost is that of what happened in between.
    ///
    /// # Errors
    /// When there is no such step, or the two are of different runs.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: Hello!', {context: {greeted: true}}, 'user: Bye']";
    /// let document = Document::open(text, &Limits::default());
    /// let between = document.changes("0", "2").unwrap();
    /// assert_eq!(between.context[0].key, "greeted");
    /// assert_eq!(between.stored.len(), 2);
    /// assert_eq!(document.changes("2", "0").unwrap().removed.len(), 2);
    /// assert_eq!(document.changes("0", "9").unwrap_err().to_string(), "there is no step `9`");
    /// ```
    pub fn changes(&self, from: &str, to: &str) -> Result<BetweenSteps, InvalidInput> {
        let none = |path: &str| InvalidInput::unknown(format!("there is no step `{path}`"), "", []);
        let (timeline, first) = self.timeline_at(from).ok_or_else(|| none(from))?;
        let (_, second) = self.timeline_at(to).ok_or_else(|| none(to))?;
        let prefix = |path: &str| path.rsplit_once('.').map(|(run, _)| format!("{run}.")).unwrap_or_default();
        let own = prefix(from);
        if own != prefix(to) {
            return Err(format!("the steps `{from}` and `{to}` are of different runs").into());
        }
        let found = timeline.changes(first, second);
        let later = first.max(second);
        let stored = |stored: &Stored| StoredBetween {
            id: stored.message.id.value.clone(),
            step: format!("{own}{}", stored.created),
            role: stored.message.role.value.name().to_owned(),
            content: stored.message.content.as_ref().map(content_text),
            visible: stored.visible_at(later),
        };
        Ok(BetweenSteps {
            from: from.to_owned(),
            to: to.to_owned(),
            context: found.context.iter().map(change).collect(),
            agents: found
                .agents
                .iter()
                .map(|(agent, changes)| ((*agent).to_owned(), changes.iter().map(change).collect()))
                .collect(),
            stored: found.stored.iter().map(stored).collect(),
            removed: found.removed.iter().map(stored).collect(),
            visibility: found
                .visibility
                .iter()
                .map(|(stored, visible)| VisibilityBetween {
                    id: stored.message.id.value.clone(),
                    visible: *visible,
                })
                .collect(),
        })
    }

    /// Changes the run and works out what follows. `changes` is a list of changes as plain data, or one;
    /// `public/docs/time-travel.md` lists their shapes. The text is not touched.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
    /// let answer = document.travel(&json!({"edit_message": {"step": 0, "content": "Good day"}}));
    /// assert!(answer.ok && !answer.holds);
    /// assert_eq!(answer.marks[1].difference.as_ref().unwrap().path, "messages[0].content");
    /// let refused = document.travel(&json!({"skip": {"step": "7"}}));
    /// assert_eq!(refused.problem.unwrap().message, "there is no step `7`; the run has 1 step");
    /// ```
    #[must_use]
    pub fn travel(&self, changes: &Value) -> TravelAnswer {
        let done = self.travellable(changes).and_then(|(run, changes)| Ok(travel(run, &changes)?));
        match done {
            Ok(new) => self.travelled(new),
            Err(problem) => TravelAnswer::from_problem(problem),
        }
    }

    /// Changes the run, to be played on from where it no longer holds; see [`Rerun`]. `Document::travelled` returns
    /// the new run at its end.
    ///
    /// # Errors
    /// Why the changes cannot be made.
    pub fn rerun(&self, changes: &Value, options: RerunOptions) -> Result<Rerun, TravelProblem> {
        let (run, changes) = self.travellable(changes)?;
        Ok(Rerun::new(run, &changes, options)?)
    }

    /// A new run of this document as plain data.
    #[must_use]
    pub fn travelled(&self, mut new: TravelResult) -> TravelAnswer {
        let text = match self.written(&mut new.transcript) {
            Ok(text) => text,
            Err(problem) => return TravelAnswer::from_problem(problem),
        };
        TravelAnswer {
            ok: true,
            holds: new.holds(),
            text: Some(text),
            marks: new.marks,
            dropped: new.dropped,
            notes: new.notes,
            problem: None,
        }
    }

    /// A new run of this document as YAML.
    pub(super) fn written(&self, run: &mut Transcript) -> Result<String, TravelProblem> {
        // Their content stands in its places.
        run.extra.shift_remove("blobs");
        match self.too_many(write::brief_references(run)) {
            Some(found) => Err(TravelProblem { change: None, message: found.message, help: found.help }),
            None => Ok(write::yaml(&write::brief(run))),
        }
    }

    pub(super) fn travellable(
        &self,
        changes: &Value,
    ) -> Result<(&Transcript, Vec<travel::Change>), TravelProblem> {
        let problem = |message: String, help: Option<&str>| TravelProblem {
            change: None,
            message,
            help: help.map(str::to_owned),
        };
        let Some(timeline) = self.timeline().filter(|_| self.is_whole()) else {
            return Err(match self.handlers_refused() {
                Some(refused) => problem(refused.message, refused.help.as_deref()),
                None => {
                    problem("the document contains no complete run".to_owned(), Some("fix its errors first"))
                }
            });
        };
        let changes = travel::Change::list(changes).map_err(|why| problem(why.to_string(), None))?;
        Ok((timeline.transcript(), changes))
    }
}

fn serialize_agents<S: Serializer>(agents: &[(String, Vec<Change>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(agents.iter().map(|(agent, changes)| (agent, changes)))
}

fn deserialize_agents<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Vec<Change>)>, D::Error> {
    let agents = Map::deserialize(from)?.into_iter();
    let changes = |changes| serde_json::from_value(changes).map_err(D::Error::custom);
    agents.map(|(agent, changed)| Ok((agent, changes(changed)?))).collect()
}

impl From<travel::TravelError> for TravelProblem {
    fn from(refused: travel::TravelError) -> Self {
        Self { change: Some(refused.change), message: refused.reason.to_string(), help: None }
    }
}

impl TravelAnswer {
    /// The answer that there is no new run, and why.
    #[must_use]
    pub fn from_problem(problem: TravelProblem) -> Self {
        Self {
            ok: false,
            holds: false,
            text: None,
            marks: Vec::new(),
            dropped: Vec::new(),
            notes: Vec::new(),
            problem: Some(problem),
        }
    }
}

fn change(found: &ContextChange<'_>) -> Change {
    Change {
        key: found.key.to_owned(),
        kind: match (found.before, found.after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        },
        before: found.before.cloned(),
        after: found.after.cloned(),
    }
}
