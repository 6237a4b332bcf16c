//! One page of a list.

use serde_json::{Value, json};

/// The options of a request of the page.
#[derive(Debug, Default)]
pub(crate) struct PageRequest {
    /// The first item that is wanted; without it the last page is.
    pub(crate) start: Option<usize>,
    pub(crate) page: usize,
    /// Whether messages that the model cannot see are left out.
    pub(crate) without_hidden: bool,
    /// Whether what has not changed is left out.
    pub(crate) only_changes: bool,
    /// A part of a path or of a value, in lower case.
    pub(crate) filter: String,
    /// The paths that are closed where they would be open, or open where they would be closed.
    pub(crate) turned: Vec<String>,
    /// The path of one value.
    pub(crate) path: String,
}

impl PageRequest {
    /// Reads a JSON object; whatever it lacks is as usual.
    pub(crate) fn parse(request: &str) -> Self {
        let request: Value = serde_json::from_str(request).unwrap_or_default();
        let number = |key: &str| {
            request.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
        };
        let is = |key: &str| request.get(key) == Some(&Value::Bool(true));
        let text = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let turned = request.get("turned").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Self {
            start: number("start"),
            page: number("page").filter(|page| *page > 0).unwrap_or(40),
            without_hidden: is("withoutHidden"),
            only_changes: is("onlyChanges"),
            filter: text("filter").trim().to_lowercase(),
            turned: turned.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            path: text("path"),
        }
    }
}

/// The requested page of a list, with its length, next to the other answers.
pub(crate) fn paged<T>(
    list: &[T],
    request: &PageRequest,
    mut facts: Value,
    show: impl Fn(&T) -> Value,
) -> Value {
    let last = list.len().saturating_sub(1) / request.page * request.page;
    let start = request.start.unwrap_or(last);
    facts["count"] = list.len().into();
    facts["items"] = list.iter().skip(start).take(request.page).map(show).collect();
    if facts.is_null() { json!({}) } else { facts }
}
