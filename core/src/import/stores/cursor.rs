//! The conversations ("composers") in `state.vscdb` of Cursor: a row of each, and a row of each of its messages ("bubbles").

use serde_json::{Map, Value};

use super::super::keys::text;
use super::sqlite::{Database, Table as SqlTable, text_of};
use super::{Counts, count};
use crate::parse::json_exactly;
use crate::text::Table;

/// The messages of a conversation, each with its id.
type Bubbles = Vec<(String, Value)>;

/// The conversations, each with its messages under `conversation`.
pub(super) fn conversations(
    database: &Database<'_>,
    tables: &[Option<&SqlTable>],
) -> Result<Vec<Map<String, Value>>, &'static str> {
    let mut composers: Vec<Map<String, Value>> = Vec::new();
    let mut bubbles: Table<String, Bubbles> = Table::new();
    let mut order: Vec<String> = Vec::new();
    let mut others = Counts::new();
    for table in tables.iter().flatten() {
        database.rows(table, &["key", "value"], &mut |row| {
            let [key, value] = *row else { return };
            let key = text_of(key).unwrap_or_default();
            let (kind, id) = key.split_once(':').unwrap_or((key, ""));
            let value = || text_of(value).and_then(json_exactly);
            match kind {
                "composerData" => match value() {
                    Some(Value::Object(mut composer)) => {
                        composer.entry("composerId").or_insert_with(|| id.into());
                        composers.push(composer);
                    }
                    _ => count(&mut others, "composerData that cannot be read"),
                },
                "bubbleId" => match (id.split_once(':'), value()) {
                    (Some((composer, id)), Some(bubble)) => {
                        if !bubbles.contains_key(composer) {
                            order.push(composer.to_owned());
                        }
                        bubbles.entry(composer.to_owned()).or_default().push((id.to_owned(), bubble));
                    }
                    _ => count(&mut others, "bubbleId that cannot be read"),
                },
                // Older releases have whole conversations in one row.
                "composer.composerData" => old(value(), "allComposers", "conversation", &mut composers),
                "workbench.panel.aichat.view.aichat.chatdata" => {
                    old(value(), "tabs", "bubbles", &mut composers);
                }
                // The settings of the editor, which may be secret.
                _ if table.name == "ItemTable" => {}
                kind => count(&mut others, kind),
            }
        })?;
    }
    for composer in &mut composers {
        let id = composer.get("composerId").and_then(Value::as_str).unwrap_or_default();
        let own = bubbles.remove(id).unwrap_or_default();
        complete(composer, own);
    }
    for id in order {
        if let Some(own) = bubbles.remove(&id) {
            let mut composer = Map::new();
            composer.insert("composerId".to_owned(), id.into());
            complete(&mut composer, own);
            composers.push(composer);
        }
    }
    let all = composers.len();
    composers.retain(|composer| composer.get("conversation").is_some_and(|list| list.get(0).is_some()));
    for _ in composers.len()..all {
        count(&mut others, "composerData without messages");
    }
    for composer in &mut composers {
        if !others.is_empty() {
            composer.insert("otherRows".to_owned(), others.clone().into());
        }
    }
    Ok(composers)
}

/// Adds the conversations in one row that have messages.
fn old(value: Option<Value>, key: &str, messages: &str, composers: &mut Vec<Map<String, Value>>) {
    let Some(mut value) = value else { return };
    let Some(Value::Array(all)) = value.get_mut(key).map(Value::take) else { return };
    for one in all {
        let Value::Object(mut one) = one else { continue };
        for (from, to) in [(messages, "conversation"), ("tabId", "composerId"), ("chatTitle", "name")] {
            if let Some(value) = one.shift_remove(from) {
                one.insert(to.to_owned(), value);
            }
        }
        if one.get("conversation").is_some_and(|list| list.get(0).is_some()) {
            composers.push(one);
        }
    }
}

/// Puts the messages of a conversation into it, in the order that it names.
fn complete(composer: &mut Map<String, Value>, mut bubbles: Bubbles) {
    composer.retain(|key, value| !is_empty(value) && !key.ends_with("EncryptionKey"));
    if bubbles.is_empty() {
        return;
    }
    let Some(headers) = composer.shift_remove("fullConversationHeadersOnly") else {
        bubbles.sort_by(|(_, one), (_, other)| text(one, "createdAt").cmp(&text(other, "createdAt")));
        composer.insert(
            "conversation".to_owned(),
            bubbles.into_iter().map(|(_, bubble)| cleaned(bubble)).collect(),
        );
        return;
    };
    let mut by_id: Table<String, Value> = Table::new();
    let ids: Vec<String> = bubbles.iter().map(|(id, _)| id.clone()).collect();
    by_id.extend(bubbles);
    let header = |header: &Value| {
        let bubble = text(header, "bubbleId").and_then(|id| by_id.remove(id));
        bubble.map_or_else(|| header.clone(), cleaned)
    };
    let conversation: Value =
        headers.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(header).collect();
    composer.insert("conversation".to_owned(), conversation);
    let rest: Vec<Value> = ids.iter().filter_map(|id| by_id.remove(id)).map(cleaned).collect();
    if !rest.is_empty() {
        composer.insert("otherBubbles".to_owned(), rest.into());
    }
}

/// A message without its empty fields, which are most.
fn cleaned(mut bubble: Value) -> Value {
    if let Some(bubble) = bubble.as_object_mut() {
        bubble.retain(|_, value| !is_empty(value));
    }
    bubble
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}
