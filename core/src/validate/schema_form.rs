//! Whether a JSON Schema is valid: names of types, and the kinds of its keywords' values.

use serde_json::{Map, Value};

use crate::diagnostic::closest;
use crate::text::kind_name;

/// The maximum depth of a schema; anything deeper is ignored.
const DEPTH: usize = 64;

/// The words for types.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// A fault in a schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SchemaFault {
    /// Where in it, such as `.properties.x.type`; empty for the schema itself.
    pub path: String,
    /// What is wrong, as a sentence, or as the end of one that begins with the place: "must be a list, found a string".
    pub message: String,
    /// A remedy; may be empty.
    pub help: String,
}

/// The first fault in a schema that makes it ineffective, or gives it an unintended effect.
///
/// The keywords are those of the check of data, and a type is one of the seven of JSON Schema.
pub(crate) fn find_schema_fault(schema: &Value) -> Option<SchemaFault> {
    schema_at(schema, "", 0).err()
}

type FormResult = Result<(), SchemaFault>;

fn wrong(path: String, found: &Value, wanted: &str) -> FormResult {
    Err(SchemaFault {
        path,
        message: format!("must be {wanted}, found {0}", kind_name(found)),
        help: String::new(),
    })
}

fn schema_at(schema: &Value, path: &str, depth: usize) -> FormResult {
    let schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(_) => return Ok(()),
        other => return wrong(path.to_owned(), other, "a schema"),
    };
    if depth > DEPTH {
        return Ok(());
    }
    let at = |key: &str| format!("{path}.{key}");
    if let Some(wanted) = schema.get("type") {
        types(wanted, &at("type"))?;
    }
    for key in ["properties", "patternProperties", "$defs", "definitions"] {
        let inner = map(schema, key, &at(key))?;
        for (name, inner) in inner.into_iter().flatten() {
            schema_at(inner, &format!("{path}.{key}.{name}"), depth + 1)?;
        }
    }
    for key in ["additionalProperties", "items", "not", "contains", "propertyNames"] {
        match schema.get(key) {
            None => {}
            // A list of schemas for the items one by one is the older form of `prefixItems`.
            Some(Value::Array(inner)) if key == "items" => check_each(inner, &at(key), depth)?,
            Some(inner) => schema_at(inner, &at(key), depth + 1)?,
        }
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        match schema.get(key) {
            None => {}
            Some(Value::Array(inner)) => check_each(inner, &at(key), depth)?,
            Some(other) => return wrong(at(key), other, "a list of schemas"),
        }
    }
    match schema.get("required") {
        None => {}
        Some(Value::Array(names)) => {
            if let Some((index, odd)) = names.iter().enumerate().find(|(_, name)| !name.is_string()) {
                return wrong(format!("{path}.required[{index}]"), odd, "a key");
            }
        }
        // A schema of OpenAPI 2 may mark one key as required.
        Some(Value::Bool(_)) if depth > 0 => {}
        Some(other) => return wrong(at("required"), other, "a list of keys"),
    }
    if let Some(other) = schema.get("enum").filter(|choices| !choices.is_array()) {
        return wrong(at("enum"), other, "a list");
    }
    if let Some(other) = schema.get("$ref").filter(|way| !way.is_string()) {
        return wrong(at("$ref"), other, "a string");
    }
    for key in ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] {
        if let Some(other) = schema.get(key).filter(|bound| bound.as_f64().is_none_or(|bound| bound < 0.0)) {
            return wrong(at(key), other, "a number from 0");
        }
    }
    for key in ["minimum", "maximum"] {
        if let Some(other) = schema.get(key).filter(|bound| !bound.is_number()) {
            return wrong(at(key), other, "a number");
        }
    }
    Ok(())
}

fn check_each(schemas: &[Value], path: &str, depth: usize) -> FormResult {
    let mut schemas = schemas.iter().enumerate();
    schemas.try_for_each(|(index, inner)| schema_at(inner, &format!("{path}[{index}]"), depth + 1))
}

fn map<'s>(
    schema: &'s Map<String, Value>,
    key: &str,
    path: &str,
) -> Result<Option<&'s Map<String, Value>>, SchemaFault> {
    match schema.get(key) {
        None => Ok(None),
        Some(Value::Object(inner)) => Ok(Some(inner)),
        Some(other) => wrong(path.to_owned(), other, "a map of schemas").map(|()| None),
    }
}

fn types(wanted: &Value, path: &str) -> FormResult {
    match wanted {
        Value::String(name) if TYPES.contains(&name.as_str()) => Ok(()),
        Value::String(name) => {
            let help = match other_word(name).or_else(|| closest(name, TYPES)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("use one of {}", TYPES.join(", ")),
            };
            Err(SchemaFault { path: path.to_owned(), message: format!("unknown type `{name}`"), help })
        }
        Value::Array(names) => names.iter().enumerate().try_for_each(|(index, name)| match name {
            Value::String(_) => types(name, &format!("{path}[{index}]")),
            other => wrong(format!("{path}[{index}]"), other, "a type"),
        }),
        other => wrong(path.to_owned(), other, "a type"),
    }
}

/// The word of JSON Schema for a type by its name in a programming language.
fn other_word(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "str" | "text" => "string",
        "int" => "integer",
        "float" | "double" | "decimal" => "number",
        "bool" => "boolean",
        "list" | "tuple" => "array",
        "dict" | "map" => "object",
        "none" | "nil" => "null",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_that_is_not_a_schema_is_reported_with_its_place() {
        for (schema, path, message, help) in [
            (json!("object"), "", "must be a schema, found a string", ""),
            (json!({"type": "strng"}), ".type", "unknown type `strng`", "did you mean `string`?"),
            (json!({"type": "dict"}), ".type", "unknown type `dict`", "did you mean `object`?"),
            (json!({"type": ["string", "nul"]}), ".type[1]", "unknown type `nul`", "did you mean `null`?"),
            (json!({"type": 7}), ".type", "must be a type, found a number", ""),
            (json!({"properties": ["a"]}), ".properties", "must be a map of schemas, found a list", ""),
            (json!({"properties": {"a": "string"}}), ".properties.a", "must be a schema, found a string", ""),
            (
                json!({"properties": {"a": {"items": {"type": "int"}}}}),
                ".properties.a.items.type",
                "unknown type `int`",
                "did you mean `integer`?",
            ),
            (json!({"required": "a"}), ".required", "must be a list of keys, found a string", ""),
            (json!({"required": ["a", 1]}), ".required[1]", "must be a key, found a number", ""),
            (json!({"anyOf": {"type": "null"}}), ".anyOf", "must be a list of schemas, found a map", ""),
            (json!({"oneOf": [true, 3]}), ".oneOf[1]", "must be a schema, found a number", ""),
            (json!({"enum": "a"}), ".enum", "must be a list, found a string", ""),
            (json!({"minLength": -1}), ".minLength", "must be a number from 0, found a number", ""),
            (json!({"maximum": "9"}), ".maximum", "must be a number, found a string", ""),
        ] {
            let found = find_schema_fault(&schema).unwrap();
            assert_eq!(
                (found.path.as_str(), found.message.as_str(), found.help.as_str()),
                (path, message, help)
            );
        }
    }

    #[test]
    fn schemas_are_taken() {
        for schema in [
            json!({}),
            json!(true),
            json!({"type": ["string", "null"], "format": "date", "x-note": 7}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "required": []}}}),
            json!({"items": [{"type": "null"}], "additionalItems": false, "exclusiveMinimum": true}),
            json!({"properties": {"type": {"type": "string"}, "required": {"required": true}}}),
        ] {
            assert_eq!(find_schema_fault(&schema), None, "{schema}");
        }
        let deep = (0..300).fold(json!(7), |inner, _| json!({ "not": inner }));
        assert_eq!(find_schema_fault(&deep), None);
    }
}
