//! Turns.

use super::message::{arguments, message, tool_calls};
use super::{
    Fill, Ids, content, entries, inline, is_message, list, map, nested, rest, spanned_key, spanned_text,
    text_of,
};
use crate::model::{
    Changes, Content, Message, Response, ResponseDetails, Role, Sent, SentItem, Spanned, Text, ToolCall,
    ToolRun, Turn, TurnKind, UnknownKeys,
};
use crate::parse::{Data, Node};
use crate::text::Span;

/// The known keys of a turn.
const KNOWN: [&str; 11] = [
    "turn",
    "type",
    "timestamp",
    "agent",
    "messages_sent_to_llm",
    "llm_config",
    "llm_response",
    "llm_error",
    "tool_call",
    "message_created",
    "state_changes",
];

/// Reads one turn. A turn without a type is of the type that its content shows.
pub(super) fn turn(node: &Node, fill: Fill, ids: &mut Ids) -> Turn {
    let response = node.present("llm_response").map(response);
    let tool = node.present("tool_call").map(tool_run);
    let named = node.present("type").and_then(spanned_text);
    let kind_name = named.as_ref().map(|name| name.value.clone()).unwrap_or_default();
    let kind = match named {
        Some(name) => Spanned { value: TurnKind::new(&name.value), span: name.span },
        None => {
            let value = match (&response, &tool) {
                (Some(_), _) => TurnKind::LlmCall,
                (_, Some(_)) => TurnKind::ToolCall,
                _ => TurnKind::Unknown,
            };
            Spanned { value, span: node.span }
        }
    };
    let created = match node.present("message_created") {
        Some(created) => Some(message(created, ids)),
        None if fill == Fill::CreatedMessages => {
            created_message(node.span, response.as_ref(), tool.as_ref(), ids)
        }
        None => None,
    };
    Turn {
        number: node.present("turn").and_then(|n| Some(Spanned { value: n.as_i64()?, span: n.span })),
        kind,
        kind_name,
        timestamp: node.present("timestamp").and_then(spanned_text),
        agent: text_of(node, "agent"),
        sent: sent(node.present("messages_sent_to_llm")),
        config: map(Some(node), "llm_config"),
        response,
        error: node.present("llm_error").map(Node::to_value),
        tool,
        created,
        changes: changes(node.present("state_changes")),
        rest: rest(node, &KNOWN),
        span: node.span,
    }
}

fn sent(node: Option<&Node>) -> Sent {
    let items = match node {
        Some(Node { data: Data::Seq(items), .. }) => items,
        Some(word) if word.text().is_some_and(|word| &**word == "visible") => return Sent::Visible,
        _ => return Sent::Unrecorded,
    };
    Sent::List(
        items
            .iter()
            .map(|item| {
                // A bare text is not the format, but its meaning is clear.
                let reference = item.present("ref").or(item.text().map(|_| item)).and_then(spanned_text);
                let whole = reference.is_none() && is_message(item);
                SentItem {
                    content: reference.as_ref().and_then(|_| content(item.get("content"))).map(Box::new),
                    rest: match whole {
                        true => UnknownKeys::default(),
                        false => rest(item, &["ref", "content"]),
                    },
                    reference,
                    inline: whole.then(|| Box::new(inline(item))),
                    span: item.span,
                }
            })
            .collect(),
    )
}

fn response(node: &Node) -> Response {
    Response {
        content: content(node.get("content")),
        tool_calls: tool_calls(node),
        reasoning: content(node.get("reasoning")),
        refusal: content(node.get("refusal")),
        usage: node.present("usage").map(Node::to_value),
        details: response_details(node),
        span: node.span,
    }
}

/// Rare fields; `None` without any.
fn response_details(node: &Node) -> Option<Box<ResponseDetails>> {
    const KNOWN: [&str; 14] = [
        "role",
        "content",
        "tool_calls",
        "reasoning",
        "refusal",
        "usage",
        "citations",
        "annotations",
        "metadata",
        "parsed",
        "chunks",
        "finish_reason",
        "model",
        "id",
    ];
    let value = |key: &str| node.present(key).map(Node::to_value);
    let chunks = node.get("chunks").filter(|node| matches!(node.data, Data::Seq(_)));
    let details = ResponseDetails {
        role: text_of(node, "role").filter(|role| &**role != "assistant"),
        citations: value("citations"),
        annotations: value("annotations"),
        metadata: node.get("metadata").filter(|node| node.is_map()).map(Node::to_map),
        parsed: value("parsed"),
        chunks: chunks.map(|chunks| chunks.items().iter().map(Node::to_value).collect()),
        finish_reason: text_of(node, "finish_reason"),
        model: text_of(node, "model"),
        id: text_of(node, "id"),
        rest: rest(node, &KNOWN),
    };
    (details != ResponseDetails::default()).then(|| Box::new(details))
}

fn tool_run(node: &Node) -> ToolRun {
    let result = node.get("result");
    let inside = result.and_then(|result| result.present("nested_transcript"));
    let inside = inside.filter(|inside| inside.is_map());
    let named = result.and_then(|result| result.present("nested_transcript_ref"));
    let named = named.filter(|named| named.text().is_some()).and_then(spanned_text);
    let error = content(node.get("error"));
    ToolRun {
        id: node.present("id").and_then(spanned_text),
        caller: node.present("caller").and_then(Node::text).cloned(),
        name: node
            .present("tool_name")
            .and_then(spanned_text)
            .unwrap_or(Spanned { value: Text::from(""), span: node.span }),
        parameters: arguments(node.get("parameters")),
        result: result.map(Node::to_value).unwrap_or_default(),
        success: node.get("success").and_then(Node::as_bool).unwrap_or(error.is_none()),
        error,
        nested: inside.map(nested),
        // A run that is spelled out needs no name.
        nested_ref: named.filter(|_| inside.is_none()),
        rest: rest(node, &["id", "caller", "tool_name", "parameters", "result", "success", "error"]),
        span: node.span,
    }
}

fn changes(node: Option<&Node>) -> Changes {
    let Some(node) = node else { return Changes::default() };
    Changes {
        context: map(Some(node), "context"),
        removed: list(Some(node), "context_removed").iter().filter_map(|key| key.text().cloned()).collect(),
        visible: entries(node, "visible")
            .filter_map(|entry| Some((spanned_key(&entry.key), entry.value.as_bool()?)))
            .collect(),
        rest: rest(node, &["context", "context_removed", "visible"]),
    }
}

/// The message that an answer or a result adds to the store.
fn created_message(
    span: Span,
    response: Option<&Response>,
    tool: Option<&ToolRun>,
    ids: &mut Ids,
) -> Option<Message> {
    let (role, content, tool_calls, tool_call_id, tool_name) = match (response, tool) {
        (Some(response), _) => {
            let content = response.content.clone().unwrap_or(Content::Text("".into()));
            // The answer keeps the raw text of arguments, the message has data.
            let calls = response.tool_calls.iter().map(|call| ToolCall { raw: None, ..call.clone() });
            (Role::Assistant, content, calls.collect(), None, None)
        }
        (_, Some(tool)) => {
            (Role::Tool, tool_content(tool), Vec::new(), tool.id.clone(), Some(tool.name.value.clone()))
        }
        _ => return None,
    };
    let id = Spanned { value: ids.next_message(), span };
    Some(Message {
        content: Some(content),
        tool_calls,
        tool_call_id,
        tool_name,
        ..Message::new(id, Spanned { value: role, span }, span)
    })
}

/// The text of the message with a tool's result: the answer of an agent, else the JSON.
fn tool_content(tool: &ToolRun) -> Content {
    if let (false, Some(error)) = (tool.success, &tool.error) {
        return error.clone();
    }
    Content::from_result(&tool.host_result())
}
