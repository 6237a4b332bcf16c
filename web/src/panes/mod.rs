//! What is on screen: one file and one style sheet for each pane.

mod agents;
pub(crate) mod apart;
mod assert_menu;
mod assertions;
mod bar;
mod cards;
mod changing;
mod compare;
mod determinism;
mod forms;
mod gallery;
mod generate;
mod handlers;
mod history;
mod inspector;
mod journal;
mod language;
mod logs;
mod looking;
mod message;
mod notices;
mod palette;
mod problems;
mod running;
mod scrubber;
mod share;
mod sheet;
mod source;
mod steps;
mod tabs;
mod transport;
mod views;
mod web;
mod words;

pub(crate) use apart::{Later, bring_when_idle};
pub(crate) use assert_menu::AssertMenu;
pub(crate) use bar::{Bar, Guest};
pub(crate) use changing::ChangeStep;
pub(crate) use forms::FormLosses;
pub(crate) use gallery::Gallery;
pub(crate) use generate::Generate;
pub(crate) use history::History;
pub(crate) use inspector::Inspector;
pub(crate) use logs::{LogBanner, LogReport};
pub(crate) use notices::{
    ChangedElsewhere, Conflict, DropHint, NotOpened, NotRead, NotSaved, Outdated, SharedCopy, Unavailable,
};
pub(crate) use palette::Palette;
pub(crate) use problems::Problems;
pub(crate) use share::Share;
pub(crate) use sheet::Sheet;
pub(crate) use source::SourcePane;
pub(crate) use steps::StepsPane;
pub(crate) use tabs::Tabs;
pub(crate) use web::{AskHost, OpenAddress};
