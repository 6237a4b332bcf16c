//! The browser. Nothing outside this folder names a type of `web_sys`.

pub(crate) mod authoring;
pub(crate) mod canvas;
pub(crate) mod clock;
pub(crate) mod compression;
pub(crate) mod decode;
pub(crate) mod field;
pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod history;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod logs_worker;
pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod pane_styles;
pub(crate) mod prices;
pub(crate) mod reader;
pub(crate) mod remote;
pub(crate) mod revisions;
pub(crate) mod scroll;
pub(crate) mod served;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod tabs;
pub(crate) mod timer;
pub(crate) mod workers;
