//! Widgets. Nothing here knows what a transcript is.

mod button;
mod dialog;
mod flow_list;
mod gutter;
mod icon;
pub(crate) mod icons;
mod json;
mod long_text;
mod paged;
mod splitter;
mod virtual_list;

pub(crate) use button::IconButton;
pub(crate) use dialog::Dialog;
pub(crate) use flow_list::{FlowList, FlowRows};
pub(crate) use gutter::{Gutter, Mark};
pub(crate) use icon::Icon;
pub(crate) use json::{JsonTree, one_line};
pub(crate) use long_text::LongText;
pub(crate) use paged::{PAGE, Paged, PagedFar};
pub(crate) use splitter::Splitter;
pub(crate) use virtual_list::{Shape, VirtualList};
