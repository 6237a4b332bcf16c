//! What the page knows. The text is the only source of truth; everything else is derived from it.

mod autosave;
mod commands;
mod compare;
mod current;
mod examples;
mod files;
mod generate;
mod inline;
mod logs;
mod looking;
mod machine;
mod opening;
mod outside;
mod pieces;
mod playback;
mod reading;
mod revisions;
mod route;
mod seen;
mod selection;
mod served;
mod settings;
mod share;
mod shared;
mod simulation;
mod workspace;

pub(crate) use commands::{Command, command_for, run};
pub(crate) use compare::{Compared, IGNORES, Row, Stage, list};
pub(crate) use current::Age;
pub(crate) use examples::{EXAMPLES, Example};
pub(crate) use generate::{ENDPOINTS, Judged};
pub(crate) use logs::{Report, is_log};
pub(crate) use machine::{
    Drawing, DrawnState, HEIGHT as STATE_HEIGHT, Whereabouts, calls, draw, whereabouts,
};
pub(crate) use opening::Opening;
pub(crate) use outside::{address_in, curl_line};
pub(crate) use playback::SPEEDS;
pub(crate) use route::{Route, Source, View};
pub(crate) use seen::{LlmLayer, Part, Problem, StepDetail, StepPlace, message, sent, withheld};
pub(crate) use selection::LINE_HEIGHT;
pub(crate) use served::FileState;
pub(crate) use settings::{Settings, Theme};
pub(crate) use share::{FORMS, Made, Secrets, exported, secrets_of, without};
pub(crate) use shared::Shared;
pub(crate) use simulation::{Ask, Simulation};
pub(crate) use workspace::{Dock, SaveState, Tab, Workspace};
