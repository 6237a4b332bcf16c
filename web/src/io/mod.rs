//! The browser. Nothing outside this folder names a type of `web_sys`.

pub(crate) mod author;
pub(crate) mod canvas;
pub(crate) mod clock;
mod engine;
pub(crate) mod field;
pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod history;
pub(crate) mod keys;
pub(crate) mod outside;
pub(crate) mod packing;
pub(crate) mod page;
pub(crate) mod reader;
pub(crate) mod revisions;
pub(crate) mod scroll;
pub(crate) mod served;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod tabs;
pub(crate) mod timer;
pub(crate) mod worker;
