//! What is on screen: one file and one style sheet for each pane.

mod assertions;
mod bar;
mod compare;
mod gallery;
mod inspector;
mod logs;
mod message;
mod notices;
mod problems;
mod share;
mod sheet;
mod source;
mod steps;
mod tabs;
mod transport;
mod views;
mod words;

pub(crate) use bar::Bar;
pub(crate) use compare::Compare;
pub(crate) use gallery::Gallery;
pub(crate) use inspector::Inspector;
pub(crate) use logs::{LogBanner, LogReport};
pub(crate) use notices::{
    ChangedElsewhere, Conflict, DropHint, NotOpened, NotSaved, SharedCopy, Unavailable,
};
pub(crate) use problems::Problems;
pub(crate) use share::Share;
pub(crate) use sheet::Sheet;
pub(crate) use source::SourcePane;
pub(crate) use steps::StepsPane;
pub(crate) use tabs::Tabs;
