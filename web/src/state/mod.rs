//! What the page knows. The text is the only source of truth; everything else is derived from it.

mod agents;
mod asserting;
mod autosave;
mod cards;
mod changing;
mod commands;
mod compare;
mod current;
mod drawer;
mod examples;
mod files;
mod forms;
mod generate;
mod inline;
mod inspecting;
mod journal;
mod lanes;
mod lanes_drawing;
mod logs;
mod looking;
mod machine;
mod opening;
mod outside;
mod pieces;
mod playback;
mod playing;
mod reading;
mod revisions;
mod route;
mod scope;
mod seen;
mod selection;
mod served;
mod settings;
mod share;
mod shared;
mod simulation;
mod twice;
mod workspace;
mod writing;

pub(crate) use asserting::{About, How, Subject, Verdict, assertion, data_of, places};
pub(crate) use cards::{Place, can_move};
pub(crate) use changing::{Journey, Target, typed, typed_result};
pub(crate) use commands::{Command, command_for, run};
pub(crate) use compare::{Compared, IGNORES, Row, Stage, list};
pub(crate) use current::{Age, Current, numbers};
pub(crate) use examples::{EXAMPLES, Example};
pub(crate) use generate::{ENDPOINTS, Judged};
pub(crate) use inspecting::Look;
pub(crate) use journal::form_word;
pub(crate) use lanes::{Lanes, Order, Part as ConePart};
pub(crate) use lanes_drawing::{HEAD, Ink, LANE, Sight, Singled, WIDEST, draw as draw_lanes};
pub(crate) use logs::{PROGRAMS, Report, is_log};
pub(crate) use machine::{
    Drawing, DrawnState, HEIGHT as STATE_HEIGHT, Whereabouts, calls, draw, whereabouts,
};
pub(crate) use opening::Opening;
pub(crate) use outside::{address_in, curl_line};
pub(crate) use playback::SPEEDS;
pub(crate) use playing::{Mode, Played, STATUSES};
pub(crate) use route::{Route, Source, View};
pub(crate) use seen::{
    LlmLayer, Part, Problem, ShownRow, StepDetail, StepPlace, is, message, number, sent, some_text,
    text as word, withheld,
};
pub(crate) use selection::LINE_HEIGHT;
pub(crate) use served::FileState;
pub(crate) use settings::{Settings, Theme};
pub(crate) use share::{FORMS, Made, Secrets, exported, secrets_of, without, zipped};
pub(crate) use shared::Shared;
pub(crate) use simulation::{Ask, Simulation};
pub(crate) use twice::{Proof, short};
pub(crate) use workspace::{Dock, SaveState, Tab, Workspace};
