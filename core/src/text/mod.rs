//! Source text: byte spans, and their conversion to lines and columns.

mod content_key;
mod doc;
pub(crate) mod float;
mod folded;
mod grouped;
mod json;
mod json_line;
mod json_value;
mod kind_name;
mod lines;
mod locate;
mod order;
mod place;
mod snake_case;
mod span;
mod table;
mod visible_char;

pub use content_key::{content_key, is_content_key};
pub use doc::{Doc, doc};
pub use folded::folded;
pub use grouped::grouped;
pub(crate) use json::{JsonMap, json, json_entries, json_items, push_json};
pub use json_line::{json_compact, json_line, short_escape, text_or_json};
pub use json_value::{json_value, json_value_with};
pub use kind_name::kind_name;
pub use lines::{LineIndex, Position};
pub use locate::Locator;
pub use order::{collect_one_by_one, sort_by, sort_by_key};
pub use place::Place;
pub use snake_case::snake_case;
pub use span::Span;
pub use table::{Set, Table};
pub use visible_char::is_visible_char;
