//! The problems of the built transcript, each with the step that it comes from.

use serde::Serialize;
use serde_json::Value;

use super::{BuildError, TranscriptBuilder};
use crate::parse::{self, Kind, Limits, Node, read};
use crate::text::{Span, sort_by_key};
use crate::validate;
use crate::write;

/// A problem with a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BuildProblem {
    /// The number of the step, from 1, in the order of the calls; 0 for the transcript as a whole.
    pub step: usize,
    /// The method, such as `thenToolExecutes`; `build` for the transcript as a whole.
    pub method: String,
    /// The code of the rule; `None` for a failed step.
    pub code: Option<&'static str>,
    /// How bad it is: `error`, `warning` or `info`.
    #[cfg_attr(feature = "typescript", ts(as = "crate::diagnostic::Severity"))]
    pub severity: &'static str,
    /// The problem.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

impl From<&BuildError> for BuildProblem {
    fn from(error: &BuildError) -> Self {
        let BuildError { step, method, message, help } = error.clone();
        Self { step, method, code: None, severity: "error", message, help }
    }
}

/// The steps that made the parts of the transcript, each with its method.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    pub initial: Vec<(usize, String)>,
    pub turns: Vec<(usize, String)>,
    pub assertions: Vec<(usize, String)>,
}

impl TranscriptBuilder {
    /// Every step that failed or, without failed steps, the findings of the rules about the transcript, in
    /// order of the steps. [`TranscriptBuilder::build`] only refuses the former: a run may really have been
    /// as unusual as the steps describe it.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::build::{Response, TranscriptBuilder};
    /// let builder = TranscriptBuilder::new("open")
    ///     .with_user_message("What's the weather?")
    ///     .then_llm_responds(Response::text("").call("weather", json!({})))
    ///     .then_llm_responds("Fine.");
    /// let problems = builder.problems();
    /// assert_eq!((problems[0].step, problems[0].method.as_str()), (2, "thenLlmResponds"));
    /// assert!(problems[0].message.contains("has no result"));
    /// ```
    #[must_use]
    pub fn problems(&self) -> Vec<BuildProblem> {
        match self.clone().build() {
            Ok(built) => found_in(&built, &self.origins),
            Err(errors) => errors.iter().map(BuildProblem::from).collect(),
        }
    }
}

fn found_in(built: &Value, origins: &Origins) -> Vec<BuildProblem> {
    let text = write::yaml(built);
    let parsed = parse::parse(&text, &Limits::default());
    let mut found = parsed.diagnostics;
    let mut places = Vec::new();
    if let Some(root) = &parsed.root {
        let run = read::transcript(root, read::Fill::Nothing);
        found.extend(validate::structure(&text, root));
        found.extend(validate::document(&text, root, &run, Kind::Full));
        places = places_of(root, origins);
    }
    let problems = found.into_iter().map(|found| {
        let at = places.partition_point(|(span, _)| span.start <= found.span.start);
        let own = at.checked_sub(1).and_then(|at| places.get(at));
        let own = own.filter(|(span, _)| found.span.start < span.end);
        let (step, method) = own.map_or_else(|| (0, "build".to_owned()), |(_, origin)| (*origin).clone());
        BuildProblem {
            step,
            method,
            code: Some(found.code),
            severity: found.severity.word(),
            message: found.message,
            help: found.help,
        }
    });
    let mut problems: Vec<BuildProblem> = problems.collect();
    sort_by_key(&mut problems, |problem| problem.step);
    problems
}

/// The places of the parts that steps have made, in order.
fn places_of<'o>(root: &Node, origins: &'o Origins) -> Vec<(Span, &'o (usize, String))> {
    let list = |key: &str, inner: &str| root.get(key).and_then(|node| node.get(inner));
    let lists = [
        (list("initial_state", "message_store"), &origins.initial),
        (root.get("execution"), &origins.turns),
        (list("final_state", "assertions"), &origins.assertions),
    ];
    let mut places = Vec::new();
    for (list, origins) in lists {
        let items = list.map(Node::items).unwrap_or_default();
        places.extend(items.iter().map(|item| item.span).zip(origins));
    }
    places
}
