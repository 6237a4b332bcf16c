//! What is on screen: one file and one style sheet for each pane.

mod bar;
mod gallery;
mod inspector;
mod logs;
mod message;
mod notices;
mod problems;
mod sheet;
mod source;
mod steps;
mod tabs;
mod transport;
mod words;

pub(crate) use bar::Bar;
pub(crate) use gallery::Gallery;
pub(crate) use inspector::Inspector;
pub(crate) use logs::{LogBanner, LogReport};
pub(crate) use notices::{ChangedElsewhere, Conflict, DropHint, NotOpened, NotSaved, Unavailable};
pub(crate) use problems::Problems;
pub(crate) use sheet::Sheet;
pub(crate) use source::SourcePane;
pub(crate) use steps::StepsPane;
pub(crate) use tabs::Tabs;
