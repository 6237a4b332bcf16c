//! Data as a long file of block style YAML.

use serde_json::Value;

/// The data as block style YAML with quoted strings, the way a person or a recorder lays it out.
pub(crate) fn yaml(data: &Value) -> String {
    let mut out = String::new();
    block(data, 0, &mut out);
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, inner) in entries {
                out.push_str(&format!("{pad}{key}:"));
                nested(inner, indent + 2, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                // The first line of the item moves up next to its dash.
                let mut inner = String::new();
                block(item, indent + 2, &mut inner);
                out.push_str(&format!("{pad}- {}", inner.trim_start()));
            }
        }
        plain => out.push_str(&format!("{pad}{plain}\n")),
    }
}

fn nested(value: &Value, indent: usize, out: &mut String) {
    let is_block = value.as_object().is_some_and(|map| !map.is_empty())
        || value.as_array().is_some_and(|list| !list.is_empty());
    if is_block {
        out.push('\n');
        block(value, indent, out);
    } else {
        out.push_str(&format!(" {value}\n"));
    }
}
