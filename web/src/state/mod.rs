//! What the page knows. The text is the only source of truth; everything else is derived from it.

mod agents;
mod assertions;
mod autosave;
mod cards;
mod commands;
mod compare;
mod current;
mod determinism;
mod document_run;
mod drawer;
mod edits;
mod examples;
mod files;
mod follow;
mod forms;
mod generate;
mod inline;
mod inspector;
mod journal;
mod lanes;
mod lanes_drawing;
mod lazy_list;
mod logs;
mod opening;
mod playback;
mod ptr_arc;
mod reading;
mod remote;
mod revisions;
mod route;
mod run_timeline;
mod scope;
mod selection;
mod served;
mod settings;
mod share;
mod simulation;
mod state_machine;
mod step_change;
mod step_detail;
mod step_search;
mod tool_input;
mod workspace;

pub(crate) use assertions::{
    AssertionOperator, AssertionTarget, Subject, Verdict, assertion, data_of, places,
};
pub(crate) use cards::MoveDirection;
pub(crate) use commands::{Command, command_for, run};
pub(crate) use compare::{ComparisonResult, Stage};
pub(crate) use current::{Current, Freshness, Steps};
pub(crate) use determinism::{DeterminismStage, short_fingerprint};
pub(crate) use document_run::{RunResult, mode_label};
pub(crate) use examples::{EXAMPLES, Example};
pub(crate) use generate::{ENDPOINTS, ResponseCheck};
pub(crate) use inspector::InspectorTab;
pub(crate) use journal::form_word;
pub(crate) use lanes::{Lanes, Order, Part as ConePart};
pub(crate) use lanes_drawing::{HEAD, Highlight, Ink, LANE, Viewport, WIDEST, draw as draw_lanes};
pub(crate) use logs::{Report, is_log, programs};
pub(crate) use opening::Opening;
pub(crate) use playback::SPEEDS;
pub(crate) use ptr_arc::PtrArc;
pub(crate) use remote::{address_in, curl_line};
pub(crate) use route::{Route, Source, View};
pub(crate) use run_timeline::{RunTimeline, next_of};
pub(crate) use selection::LINE_HEIGHT;
pub(crate) use served::FileState;
pub(crate) use settings::{Settings, Theme};
pub(crate) use share::{
    Form, Output, Secrets, ShareDialog, ShareError, bundle, draft_test, export, find_secrets, forms, redact,
};
pub(crate) use simulation::{PendingAnswer, Simulation};
pub(crate) use state_machine::{
    Drawing, DrawnState, HEIGHT as STATE_HEIGHT, MachinePosition, draw, machine_position, model_calls,
};
pub(crate) use step_change::{ChangeStage, Target, parse_result, parse_typed};
pub(crate) use step_detail::{StepDetail, StepPlace};
pub(crate) use tool_input::{DiffLine, ToolInput, tool_subject};
pub(crate) use workspace::{Dock, SaveState, Tab, Workspace};
