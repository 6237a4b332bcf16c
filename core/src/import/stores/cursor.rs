//! The conversations ("composers") in `state.vscdb` of Cursor: a row of each, and a row of each of its messages ("bubbles").

use serde_json::{Map, Value};

use super::super::keys::text;
use super::sqlite::{Database, Table as SqlTable, text_of};
use super::{Counts, count};
use crate::parse::json_exactly;
use crate::text::{JsonMap, Set, Table, content_key, sort_by};

/// The most kinds of rows that are counted apart.
const KINDS: usize = 32;

/// The messages of a conversation, each with its id.
type Bubbles = Vec<(String, Value)>;

/// The conversations, each with its messages under `conversation`.
pub(super) fn conversations(
    database: &Database<'_>,
    tables: &[Option<&SqlTable>],
) -> Result<Vec<Map<String, Value>>, &'static str> {
    let mut composers = Composers::default();
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
                        composers.add(composer);
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
                // Many keys end with a hash.
                kind => match kind.rsplit_once('.').map_or(kind, |(kind, _)| kind) {
                    kind if others.len() < KINDS || others.contains_key(kind) => count(&mut others, kind),
                    _ => count(&mut others, "more"),
                },
            }
        })?;
    }
    let mut composers = composers.all;
    for composer in &mut composers {
        let id = composer.get("composerId").and_then(Value::as_str).unwrap_or_default();
        let own = bubbles.remove(id).unwrap_or_default();
        complete(composer, own);
    }
    for id in order {
        if let Some(own) = bubbles.remove(&id) {
            let mut composer = Map::new();
            composer.put("composerId", id.into());
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
            composer.put("otherRows", others.clone().into());
        }
    }
    Ok(composers)
}

/// Adds the conversations in one row that have messages.
fn old(value: Option<Value>, key: &str, messages: &str, composers: &mut Composers) {
    let Some(mut value) = value else { return };
    let Some(Value::Array(all)) = value.get_mut(key).map(Value::take) else { return };
    for one in all {
        let Value::Object(mut one) = one else { continue };
        for (from, to) in [(messages, "conversation"), ("tabId", "composerId"), ("chatTitle", "name")] {
            if let Some(value) = one.shift_remove(from) {
                one.put(to, value);
            }
        }
        if one.get("conversation").is_some_and(|list| list.get(0).is_some()) {
            composers.add(one);
        }
    }
}

/// The conversations in order, with their places by id.
#[derive(Debug, Default)]
struct Composers {
    all: Vec<Map<String, Value>>,
    places: Table<String, usize>,
}

impl Composers {
    /// Adds a conversation, to what there is of it.
    fn add(&mut self, mut composer: Map<String, Value>) {
        let id = composer.get("composerId").and_then(Value::as_str).unwrap_or_default();
        let known = self.places.get(id).and_then(|place| self.all.get_mut(*place));
        let Some(known) = known else {
            if !id.is_empty() {
                self.places.insert(id.to_owned(), self.all.len());
            }
            return self.all.push(composer);
        };
        let mut messages = list(known, "conversation");
        messages.append(&mut list(&mut composer, "conversation"));
        known.append(&mut composer);
        known.put("conversation", messages.into());
    }
}

/// Takes a list out of a conversation.
fn list(composer: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match composer.shift_remove(key) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Puts the messages of a conversation into it, in the order that it names. Those that it has itself are the older ones.
fn complete(composer: &mut Map<String, Value>, mut bubbles: Bubbles) {
    composer.retain(|key, value| !is_empty(value) && !key.ends_with("EncryptionKey"));
    let mut own = list(composer, "conversation");
    // Two tables may have the same chat.
    let mut seen = Set::new();
    own.retain(|bubble| text(bubble, "bubbleId").is_none() || seen.insert(content_key(bubble)));
    if own.is_empty() && bubbles.is_empty() {
        return;
    }
    sort_by(&mut bubbles, |(_, one), (_, other)| time(one).cmp(time(other)));
    let ids: Vec<String> = bubbles.iter().map(|(id, _)| id.clone()).collect();
    let id_of = |message: &Value| text(message, "bubbleId").unwrap_or_default().to_owned();
    let mut by_id: Table<String, Value> = Table::new();
    for bubble in &own {
        by_id.entry(id_of(bubble)).or_insert_with(|| bubble.clone());
    }
    by_id.extend(bubbles);
    // Those without an id are not the same.
    by_id.remove("");
    let headers = list(composer, "fullConversationHeadersOnly");
    // Messages with the place of the header that names them, or of the last one before them that has one.
    let mut places: Table<String, usize> = Table::new();
    let mut all: Vec<(usize, Value)> = Vec::new();
    let mut missing: Vec<Value> = Vec::new();
    for (place, header) in headers.into_iter().enumerate() {
        let id = id_of(&header);
        match by_id.remove(&id) {
            Some(bubble) => all.push((place + 1, bubble)),
            None => missing.push(header),
        }
        places.insert(id, place + 1);
    }
    let mut last = 0;
    for bubble in own {
        let id = id_of(&bubble);
        match places.get(&id) {
            _ if id.is_empty() => all.push((last, bubble)),
            Some(place) => last = *place,
            // Another one with the same id is another message.
            None => all.push((last, by_id.remove(&id).unwrap_or(bubble))),
        }
    }
    if !missing.is_empty() {
        composer.put("missingBubbles", missing.into());
    }
    let rest = ids.iter().filter_map(|id| by_id.remove(id));
    if places.is_empty() {
        all.extend(rest.map(|bubble| (1, bubble)));
    } else {
        let rest: Vec<Value> = rest.map(cleaned).collect();
        if !rest.is_empty() {
            composer.put("otherBubbles", rest.into());
        }
    }
    sort_by(&mut all, |(one, _), (other, _)| one.cmp(other));
    let all = all.into_iter().map(|(_, bubble)| cleaned(bubble));
    composer.put("conversation", all.collect());
}

/// The time of a message; `~` comes after all digits, so that those without a time come last.
fn time(bubble: &Value) -> &str {
    text(bubble, "createdAt").unwrap_or("~")
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
