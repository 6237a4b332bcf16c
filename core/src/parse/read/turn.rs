//! Turns.

use super::message::{arguments, message, tool_calls};
use super::{Fill, Ids, content, inline, is_message, list, map, spanned_text, transcript};
use crate::model::{
    Changes, Content, Message, Response, Role, Sent, SentItem, Spanned, Text, ToolRun, Turn, TurnKind,
};
use crate::parse::{Data, Node};
use crate::text::Span;

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
        agent: node.present("agent").and_then(spanned_text).map(|agent| agent.value),
        sent: sent(node.present("messages_sent_to_llm")),
        config: map(Some(node), "llm_config"),
        response,
        error: node.present("llm_error").map(Node::to_value),
        tool,
        created,
        changes: changes(node.present("state_changes")),
        span: node.span,
    }
}

fn sent(node: Option<&Node>) -> Sent {
    let Some(Node { data: Data::Seq(items), .. }) = node else { return Sent::Unrecorded };
    Sent::List(
        items
            .iter()
            .map(|item| {
                // A bare text is not the format, but what it means is plain.
                let reference = item.present("ref").or(item.text().map(|_| item)).and_then(spanned_text);
                let whole = reference.is_none() && is_message(item);
                SentItem {
                    content: reference.as_ref().and_then(|_| content(item.get("content"))),
                    reference,
                    inline: whole.then(|| inline(item)),
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
        span: node.span,
    }
}

fn tool_run(node: &Node) -> ToolRun {
    let result = node.get("result");
    let nested =
        result.and_then(|result| result.present("nested_transcript")).filter(|nested| nested.is_map());
    let error = content(node.get("error"));
    ToolRun {
        id: node.present("id").and_then(spanned_text),
        name: node
            .present("tool_name")
            .and_then(spanned_text)
            .unwrap_or(Spanned { value: Text::from(""), span: node.span }),
        parameters: arguments(node.get("parameters")),
        result: result.map(Node::to_value).unwrap_or_default(),
        success: node.get("success").and_then(Node::as_bool).unwrap_or(error.is_none()),
        error,
        nested: nested.map(|nested| {
            // A nested run is partial unless it says of itself that it is whole.
            let fill = if nested.get("version").is_some() { Fill::Nothing } else { Fill::CreatedMessages };
            Box::new(transcript(nested, fill))
        }),
        span: node.span,
    }
}

fn changes(node: Option<&Node>) -> Changes {
    let Some(node) = node else { return Changes::default() };
    Changes {
        context: map(Some(node), "context"),
        removed: list(Some(node), "context_removed").iter().filter_map(|key| key.text().cloned()).collect(),
        visible: node
            .get("visible")
            .map(Node::entries)
            .unwrap_or_default()
            .iter()
            .filter_map(|entry| {
                let id = Spanned { value: entry.key.text.clone(), span: entry.key.span };
                Some((id, entry.value.as_bool()?))
            })
            .collect(),
    }
}

/// The message that an answer or a result puts into the store.
fn created_message(
    span: Span,
    response: Option<&Response>,
    tool: Option<&ToolRun>,
    ids: &mut Ids,
) -> Option<Message> {
    let (role, content, tool_calls, tool_call_id, tool_name) = match (response, tool) {
        (Some(response), _) => {
            let content = response.content.clone().unwrap_or(Content::Text("".into()));
            (Role::Assistant, content, response.tool_calls.clone(), None, None)
        }
        (_, Some(tool)) => {
            (Role::Tool, tool_content(tool), Vec::new(), tool.id.clone(), Some(tool.name.value.clone()))
        }
        _ => return None,
    };
    Some(Message {
        id: Spanned { value: ids.next_message(), span },
        role: Spanned { value: role, span },
        content: Some(content),
        tool_calls,
        tool_call_id,
        tool_name,
        agent: None,
        visible: true,
        span,
    })
}

/// The text of the message that carries a tool's result: of an agent its answer, else the JSON.
fn tool_content(tool: &ToolRun) -> Content {
    if let (false, Some(error)) = (tool.success, &tool.error) {
        return error.clone();
    }
    let answer = tool.nested.as_ref().and_then(|_| tool.result.get("response"));
    Content::of_result(answer.unwrap_or(&tool.result))
}
