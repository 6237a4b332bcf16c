//! What the page knows. The text is the only source of truth; everything else is derived from it.

mod autosave;
mod commands;
mod current;
mod examples;
mod files;
mod link;
mod logs;
mod opening;
mod route;
mod selection;
mod served;
mod settings;
mod shared;
mod workspace;

pub(crate) use commands::{command_for, run};
pub(crate) use current::Age;
pub(crate) use examples::{EXAMPLES, Example};
pub(crate) use logs::{Report, is_log};
pub(crate) use opening::Opening;
pub(crate) use route::View;
pub(crate) use selection::LINE_HEIGHT;
pub(crate) use served::FileState;
pub(crate) use settings::{Settings, Theme};
pub(crate) use workspace::{SaveState, Tab, Workspace};
