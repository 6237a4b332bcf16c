//! A run with the runs nested in it, and the way to a step by its path.

use std::collections::BTreeMap;

use crate::model::Transcript;
use crate::parse::Node;
use crate::replay::Timeline;

/// A run and, by step, the runs of other agents inside it.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub timeline: Timeline,
    pub nested: BTreeMap<usize, Run>,
}

/// A step of a run that may be nested.
#[derive(Clone, Copy)]
pub(super) struct Place<'r> {
    pub run: &'r Run,
    pub step: usize,
    pub depth: usize,
}

impl Run {
    pub(super) fn new(transcript: Transcript) -> Self {
        let nested = transcript.turns.iter().enumerate().filter_map(|(index, turn)| {
            let nested = turn.tool.as_ref()?.nested.as_deref()?;
            Some((index + 1, Run::new(nested.clone())))
        });
        Self { nested: nested.collect(), timeline: Timeline::new(transcript) }
    }

    /// The step of a path such as `2` or `2.1`.
    pub(super) fn find(&self, path: &str) -> Option<Place<'_>> {
        let mut run = self;
        let mut depth = 0;
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let step: usize = part.parse().ok()?;
            if step > run.timeline.steps() {
                return None;
            }
            if parts.peek().is_none() {
                return Some(Place { run, step, depth });
            }
            run = run.nested.get(&step)?;
            depth += 1;
        }
        None
    }
}

/// The node of a step in the tree of a full or partial transcript.
pub(super) fn source_of<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    let mut run = root;
    let mut found = None;
    for part in path.split('.') {
        if let Some(parent) = found {
            run = nested_run(parent)?;
        }
        let step: usize = part.parse().ok()?;
        found = Some(match step.checked_sub(1) {
            Some(index) => run.get("execution")?.items().get(index)?,
            None => run.get("initial_state")?,
        });
    }
    found
}

fn nested_run(turn: &Node) -> Option<&Node> {
    turn.get("tool_call")?.get("result")?.get("nested_transcript")
}
