//! The tables of the core as JSON Schemas, draft 2020-12.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transcript_core::diagnostic::codes;
use transcript_core::events::{COMMON, EventField, KINDS, OPTIONAL};
use transcript_core::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, COMPACT, CONDITIONS, Field, HANDLERS_DOCUMENT, ITEMS, Shape,
    TRANSCRIPT, VERSION, key_aliases,
};
use transcript_core::record::{COMMON_KEYS, FACT_VERSION, FACTS, FactKey, FactKind};
use transcript_core::simulate::SCENARIO;
use transcript_core::verify::{TRACE, TRACE_END, TRACE_HEAD, TRACE_VERSION, TraceKey};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Makes the schema of one document; maps with known keys become definitions.
#[derive(Default)]
struct Generator {
    names: BTreeMap<usize, String>,
    definitions: BTreeMap<String, Value>,
}

/// Every schema with the name of its file.
pub(crate) fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("transcript.schema.json", transcript()),
        ("compact.schema.json", compact()),
        ("handlers.schema.json", handlers()),
        ("scenario.schema.json", scenario()),
        ("project.schema.json", project()),
        ("journal.schema.json", journal()),
        ("event.schema.json", event()),
        ("trace.schema.json", trace()),
    ]
}

fn document(
    file: &str,
    title: &str,
    description: &str,
    rest: Value,
    definitions: BTreeMap<String, Value>,
) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".into(), DRAFT.into());
    // The file of the npm package in which it is.
    schema.insert("$id".into(), format!("npm:transcript-workbench/schema/{file}").into());
    schema.insert("title".into(), title.into());
    schema.insert("description".into(), description.into());
    schema.extend(rest.as_object().cloned().unwrap_or_default());
    if !definitions.is_empty() {
        schema.insert("$defs".into(), json!(definitions));
    }
    Value::Object(schema)
}

fn transcript() -> Value {
    let mut generator = Generator::default();
    let root = generator.schema(&TRANSCRIPT, "transcript");
    let parts = ["execution", "initial_state", "final_state", "agent_config"];
    let mut rest = root.as_object().cloned().unwrap_or_default();
    rest.insert("anyOf".into(), parts.iter().map(|part| json!({"required": [part]})).collect());
    rest.insert("properties".into(), json!({"version": version(false), "messages": false}));
    rest.insert(
        "examples".into(),
        json!([{
            "version": VERSION,
            "initial_state": {"message_store": [{"id": "msg_001", "role": "user", "content": "Hello!"}]},
            "execution": [{
                "turn": 1,
                "type": "llm_call",
                "messages_sent_to_llm": [{"ref": "msg_001"}],
                "llm_response": {"role": "assistant", "content": "Hi there!"},
                "message_created": {"id": "msg_002", "role": "assistant", "content": "Hi there!"}
            }]
        }]),
    );
    let description = "A full or partial transcript of an agent run.";
    document("transcript.schema.json", "Transcript", description, Value::Object(rest), generator.definitions)
}

/// Besides the version in full, the reader takes what it mends.
fn version(or_null: bool) -> Value {
    let values = if or_null { json!([VERSION, null]) } else { json!([VERSION, "1", 1]) };
    json!({"description": "The version of the format, `\"1.0\"` in quotes.", "enum": values})
}

fn compact() -> Value {
    let mut generator = Generator::default();
    let mut rest = generator.map(COMPACT.fields());
    let properties = rest.get_mut("properties").and_then(Value::as_object_mut).expect("a map has properties");
    properties.insert("version".into(), version(true));
    for key in ["agent_config", "initial_state", "final_state", "metadata", "execution"] {
        properties.insert(key.into(), Value::Bool(false));
    }
    rest.insert(
        "examples".into(),
        json!([{
            "name": "greeting",
            "messages": ["user: Hello!", "assistant: Hi there!"]
        }]),
    );
    let description = "A compact transcript: the messages of an agent run as its author writes them.";
    document(
        "compact.schema.json",
        "Compact transcript",
        description,
        Value::Object(rest),
        generator.definitions,
    )
}

fn handlers() -> Value {
    let mut generator = Generator::default();
    let mut rest = generator.map(HANDLERS_DOCUMENT.fields());
    rest.insert(
        "examples".into(),
        json!([{"handlers": {"greeter": {"type": "queue", "responses": ["Hello!"]}}}]),
    );
    let description = "Mock agents: what answers in a model's place, and when.";
    document("handlers.schema.json", "Mock handlers", description, Value::Object(rest), generator.definitions)
}

fn scenario() -> Value {
    let mut generator = Generator::default();
    let mut rest = generator.map(SCENARIO.fields());
    rest.insert(
        "examples".into(),
        json!([{
            "agents": [{"name": "bot", "mock": ["Hello!"]}],
            "steps": [{"op": "call", "content": "Hi"}]
        }]),
    );
    let description = "A simulation: agents with their tools and handlers, and what is done with them.";
    document("scenario.schema.json", "Scenario", description, Value::Object(rest), generator.definitions)
}

fn project() -> Value {
    let mut rules = Map::new();
    for code in codes::ALL {
        for name in [code.code.to_owned(), code.slug()] {
            rules.insert(name, json!({"description": code.doc, "$ref": "#/$defs/level"}));
        }
    }
    let level = json!({
        "description": "What the rule's findings are.",
        "enum": ["off", "info", "warning", "error"]
    });
    let rest = json!({
        "type": "object",
        "properties": {
            "$schema": {"description": "Where this schema is.", "type": "string"},
            "rules": {
                "description": "The level of each rule, by its code or its name.",
                "type": "object",
                "properties": rules,
                "additionalProperties": false
            }
        },
        "examples": [{"rules": {"T204": "off", "unknown-key": "error"}}]
    });
    let description = "The settings of a project, `transcript.config.json`.";
    let definitions = BTreeMap::from([("level".to_owned(), level)]);
    document("project.schema.json", "Project settings", description, rest, definitions)
}

fn journal() -> Value {
    let key = |key: &FactKey| {
        let mut schema = match (key.name, key.shape) {
            ("v", _) => json!({"const": FACT_VERSION}),
            ("seq", _) => json!({"type": ["integer", "null"], "minimum": 1}),
            (_, "any") => json!({}),
            (_, shape) => {
                let kind = match shape {
                    "text" => "string",
                    "list" => "array",
                    "map" => "object",
                    _ => "boolean",
                };
                if key.required { json!({"type": kind}) } else { json!({"type": [kind, "null"]}) }
            }
        };
        schema["description"] = key.doc.text().into();
        (key.name.to_owned(), schema)
    };
    let kinds = FACTS.iter().map(|row| {
        let mut properties: Map<String, Value> = COMMON_KEYS.iter().chain(row.keys).map(key).collect();
        properties["fact"] = json!({"description": row.doc, "const": row.name});
        let mut required: Vec<&str> = vec!["v", "fact"];
        required.extend(row.keys.iter().filter(|key| key.required).map(|key| key.name));
        if matches!(row.kind, FactKind::AgentEntered | FactKind::AgentLeft) {
            required.push("run");
        }
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    });
    let began = "recording_began";
    let header = json!({
        "type": "object",
        "properties": {
            "v": {"description": COMMON_KEYS[0].doc, "const": FACT_VERSION},
            "fact": {"description": "The line before the facts of a recording; it is no fact.", "const": began},
            "id": {"description": "What tells the recording from others in the journal.", "type": ["string", "null"]},
            "options": {"description": "How it is recorded, as the options of the recorder have it.", "type": "object"},
        },
        "required": ["v", "fact"],
        "additionalProperties": false,
    });
    let names: Vec<&str> = FACTS.iter().map(|row| row.name).chain([began]).collect();
    let rest = json!({
        "type": "object",
        "properties": {"fact": {"description": "The kind.", "enum": names}},
        "oneOf": kinds.chain([header]).collect::<Vec<_>>(),
        "examples": [{"v": 1, "seq": 1, "fact": "message_appended", "id": "m1", "role": "user", "content": "Hello!"}]
    });
    let description = "One line of the journal of a recorder: an observed fact, or what stands before the facts of a recording.";
    document("journal.schema.json", "Recorded fact", description, rest, BTreeMap::new())
}

impl Generator {
    /// What is accepted at a place, null apart. `name` is what a map there would be called.
    fn schema(&mut self, shape: &'static Shape, name: &str) -> Value {
        match shape {
            Shape::Any => json!({}),
            Shape::Text | Shape::Name(_) => json!({"type": "string"}),
            Shape::OneOf(words) => json!({"enum": words.iter().map(|word| word.name).collect::<Vec<_>>()}),
            Shape::Known(words) => {
                let names: Vec<&str> = words.iter().map(|word| word.name).collect();
                json!({"anyOf": [{"enum": names}, {"type": "string"}]})
            }
            Shape::Content => {
                let binary = json!({"type": "object", "required": ["$binary"]});
                // Next to other keys it is data and no reference.
                let blob = json!({"type": "object", "required": ["$blob"], "maxProperties": 1});
                json!({"anyOf": [{"type": ["string", "array"]}, binary, blob]})
            }
            Shape::Number => json!({"type": "number"}),
            Shape::Integer => json!({"type": "integer"}),
            Shape::Bool => json!({"type": "boolean"}),
            Shape::Open => json!({"type": "object"}),
            Shape::OpenOf(inner) | Shape::Keyed(_, inner) => {
                let values = nullable(self.schema(inner, &singular(name)));
                json!({"type": "object", "additionalProperties": values})
            }
            Shape::List(inner) => {
                let items = self.schema(inner, &singular(name));
                // A compact item, or a sent message, that is empty says nothing.
                let says_something = matches!(inner, Shape::Item) || name == "messages_sent_to_llm";
                let items = if says_something { items } else { nullable(items) };
                json!({"type": "array", "items": items})
            }
            Shape::TextOr(inner) => json!({"anyOf": [{"type": "string"}, self.schema(inner, name)]}),
            Shape::Either(options) => {
                let options: Vec<Value> = options.iter().map(|option| self.schema(option, name)).collect();
                json!({"anyOf": options})
            }
            Shape::Map(fields) => {
                self.define(shape, name, |generator, name| generator.named_map(fields, name))
            }
            Shape::Tagged(tag, variants) => self.define(shape, name, |generator, _| {
                let names: Vec<&str> = variants.iter().map(|variant| variant.name).collect();
                let cases = variants.iter().map(|variant| {
                    let then = generator.schema(variant.shape, variant.name);
                    when(tag, variant.name, then)
                });
                let cases: Vec<Value> = cases.collect();
                let meaning =
                    one_line_each(variants.iter().map(|variant| (variant.name, variant.doc.text())));
                json!({
                    "type": "object",
                    "required": [tag],
                    "properties": {*tag: {"description": meaning, "enum": names}},
                    "allOf": cases
                })
            }),
            Shape::Assertion => self.assertion(),
            Shape::Expect => self.expectation(),
            Shape::Item => self.item(),
        }
    }

    /// A reference to the definition of a shape, which is made when it is first met.
    fn define(
        &mut self,
        shape: &'static Shape,
        name: &str,
        make: impl FnOnce(&mut Self, &str) -> Value,
    ) -> Value {
        let address = std::ptr::from_ref(shape) as usize;
        if let Some(known) = self.names.get(&address) {
            return json!({"$ref": format!("#/$defs/{known}")});
        }
        let taken = |name: &str| self.names.values().any(|other| other == name);
        let free = (1..).map(|n| if n == 1 { name.to_owned() } else { format!("{name}_{n}") });
        let name = free.into_iter().find(|name| !taken(name)).expect("numbers do not end");
        self.names.insert(address, name.clone());
        let made = make(self, &name);
        self.definitions.insert(name.clone(), made);
        json!({"$ref": format!("#/$defs/{name}")})
    }

    fn map(&mut self, fields: &'static [Field]) -> Map<String, Value> {
        let properties: Map<String, Value> =
            fields.iter().map(|field| (field.name.to_owned(), self.field(field))).collect();
        let required: Vec<&str> =
            fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let mut map = Map::new();
        map.insert("type".into(), "object".into());
        map.insert("properties".into(), Value::Object(properties));
        if !required.is_empty() {
            map.insert("required".into(), json!(required));
        }
        // A test that does not exist is an error, not a key of the author's own.
        if std::ptr::eq(fields, CONDITIONS) {
            map.insert("additionalProperties".into(), Value::Bool(false));
        }
        // Nor is a bound that does not exist; other names of bounds are read, and reported.
        if fields.iter().any(|field| field.name == "at_least") {
            let read = fields.iter().flat_map(|field| key_aliases(field.name).chain([field.name]));
            map.insert("propertyNames".into(), json!({"enum": read.collect::<Vec<_>>()}));
        }
        map
    }

    fn field(&mut self, field: &'static Field) -> Value {
        let called = match field.name {
            "tool_call" => "tool_run",
            "message_created" => "message",
            name => name,
        };
        let schema = self.schema(field.shape, called);
        let mut schema = if field.required { present(schema) } else { nullable(schema) };
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".into(), field.doc.text().into());
        }
        schema
    }

    /// A map with what its rules ask for beyond its table.
    fn named_map(&mut self, fields: &'static [Field], name: &str) -> Value {
        let mut map = self.map(fields);
        match name {
            "turn" => {
                let needs = |key: &str| json!({"required": [key], "properties": {key: {"type": "object"}}});
                let cases = [
                    when("type", "tool_call", needs("tool_call")),
                    when("type", "message", needs("message_created")),
                ];
                map.insert("allOf".into(), json!(cases));
            }
            "sent_message" => {
                let has =
                    |key: &str| json!({"required": [key], "properties": {key: {"not": {"type": "null"}}}});
                map.insert("anyOf".into(), json!([has("ref"), has("role")]));
            }
            "tool_run" => {
                let run = json!({"anyOf": [{"type": ["string", "null"]}, {"$ref": "#/$defs/transcript"}]});
                if let Some(result) = map.get_mut("properties").and_then(|all| all.get_mut("result")) {
                    result["properties"] = json!({"nested_transcript": run, "nested_transcript_ref": {"type": ["string", "null"]}});
                }
            }
            "fail" | "repeat" => {
                if let Some(times) = map.get_mut("properties").and_then(|all| all.get_mut("times")) {
                    times["minimum"] = json!(0);
                }
            }
            _ => {}
        }
        Value::Object(map)
    }

    fn assertion(&mut self) -> Value {
        if !self.definitions.contains_key("assertion") {
            self.definitions.insert("assertion".into(), Value::Null);
            let cases: Vec<Value> = ASSERTION_TYPES
                .iter()
                .map(|kind| {
                    let mut fields = self.map(kind.fields);
                    fields.remove("type");
                    if !kind.one_of.is_empty() {
                        let any = kind.one_of.iter().map(|name| json!({"required": [name]}));
                        fields.insert("anyOf".into(), any.collect());
                    }
                    when("type", kind.name, Value::Object(fields))
                })
                .collect();
            let mut made = self.map(ASSERTION_FIELDS);
            let names: Vec<&str> = ASSERTION_TYPES.iter().map(|kind| kind.name).collect();
            let meaning = one_line_each(ASSERTION_TYPES.iter().map(|kind| (kind.name, kind.doc.text())));
            made["properties"]["type"] = json!({"description": meaning, "enum": names});
            made.insert("allOf".into(), json!(cases));
            self.definitions.insert("assertion".into(), Value::Object(made));
        }
        json!({"$ref": "#/$defs/assertion"})
    }

    /// An assertion in full or in short, or a list of them.
    fn expectation(&mut self) -> Value {
        let assertion = self.assertion();
        if !self.definitions.contains_key("expectation") {
            let properties: Map<String, Value> = ASSERTION_TYPES
                .iter()
                .map(|kind| (kind.name.to_owned(), json!({"description": kind.doc})))
                .collect();
            let any: Vec<Value> =
                ASSERTION_TYPES.iter().map(|kind| json!({"required": [kind.name]})).collect();
            let short = json!({"type": "object", "properties": properties, "anyOf": any});
            let list = json!({"type": "array", "items": {"$ref": "#/$defs/expectation"}});
            self.definitions.insert("expectation".into(), json!({"anyOf": [assertion, short, list]}));
        }
        json!({"$ref": "#/$defs/expectation"})
    }

    /// An entry of a compact list.
    fn item(&mut self) -> Value {
        let roles: Vec<&str> = ITEMS.iter().take(5).map(|kind| kind.name).collect();
        let mut options = vec![json!({
            "description": "A message: `user: Hello!`, `assistant:call NAME(...)`, `tool:NAME: RESULT`.",
            "type": "string",
            "pattern": format!("^({})(\\([^)]*\\))?:", roles.join("|")),
        })];
        for kind in ITEMS {
            let mut made = self.map(kind.other_keys);
            let main = match kind.name {
                "hide" | "show" => {
                    let id = json!({"type": ["string", "number"]});
                    json!({"anyOf": [id, {"type": "array", "items": id, "minItems": 1}]})
                }
                "tool" | "context" | "expect" => self.schema(kind.shape, kind.name),
                _ => nullable(self.schema(kind.shape, kind.name)),
            };
            let properties =
                made.get_mut("properties").and_then(Value::as_object_mut).expect("a map has properties");
            if let Some(result) = properties.get_mut("result") {
                result["properties"] = json!({"nested_transcript_ref": {"type": ["string", "null"]}});
            }
            // Digits are an id as well.
            if let Some(id) = properties.get_mut("id") {
                id["type"] = json!(["string", "number", "null"]);
            }
            let mut main = main;
            if let Some(main) = main.as_object_mut() {
                main.insert("description".into(), kind.doc.text().into());
            }
            properties.insert(kind.name.into(), main);
            made.insert("required".into(), json!([kind.name]));
            made.insert("additionalProperties".into(), Value::Bool(false));
            let name = format!("{}_item", kind.name);
            self.definitions.insert(name.clone(), Value::Object(made));
            options.push(json!({"$ref": format!("#/$defs/{name}")}));
        }
        json!({"anyOf": options})
    }
}

/// What follows when `key` has this value.
fn when(key: &str, value: &str, then: Value) -> Value {
    json!({"if": {"required": [key], "properties": {key: {"const": value}}}, "then": then})
}

/// The schema with null allowed as well.
fn nullable(mut schema: Value) -> Value {
    let Some(map) = schema.as_object_mut() else { return schema };
    if map.is_empty() {
        return schema;
    }
    let is_one = map.len() == 1;
    if let Some(kind) = map.get_mut("type") {
        match kind {
            Value::Array(kinds) => kinds.push("null".into()),
            kind => *kind = json!([kind.take(), "null"]),
        }
    } else if let Some(Value::Array(options)) = map.get_mut("anyOf").filter(|_| is_one) {
        options.push(json!({"type": "null"}));
    } else if let Some(Value::Array(values)) = map.get_mut("enum").filter(|_| is_one) {
        values.push(Value::Null);
    } else {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    schema
}

/// The schema of what must be there, and be more than null.
fn present(schema: Value) -> Value {
    if schema.as_object().is_some_and(Map::is_empty) { json!({"not": {"type": "null"}}) } else { schema }
}

fn singular(name: &str) -> String {
    match name {
        "execution" => "turn".to_owned(),
        "message_store" => "message".to_owned(),
        "messages_sent_to_llm" => "sent_message".to_owned(),
        "visible_messages" => "visible_message".to_owned(),
        _ => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}

fn one_line_each<'d>(words: impl Iterator<Item = (&'d str, &'d str)>) -> String {
    words.map(|(name, doc)| format!("`{name}`: {doc}")).collect::<Vec<_>>().join("\n")
}

/// An event of a log. The name of its type may be under `event_type`, and unknown keys are kept.
fn event() -> Value {
    let uuid = json!({
        "type": "string",
        "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$"
    });
    let property = |field: &EventField| {
        let mut schema = match field.shape {
            "uuid" => uuid.clone(),
            "uuid or null" => json!({"anyOf": [uuid, {"type": "null"}]}),
            "uuids" => json!({"type": "array", "items": uuid}),
            "hash" => json!({"type": "string", "pattern": "^[0-9a-f]{16}$"}),
            "integer" => json!({"type": "integer"}),
            "text" => json!({"type": "string"}),
            "bool" => json!({"type": "boolean"}),
            "map" => json!({"type": "object"}),
            _ => json!({}),
        };
        schema["description"] = field.doc.text().into();
        (field.name.to_owned(), schema)
    };
    let mut properties: Map<String, Value> = COMMON.iter().chain(&OPTIONAL).map(property).collect();
    let names: Vec<&str> = KINDS.iter().map(|row| row.name).collect();
    let meaning = one_line_each(KINDS.iter().map(|row| (row.name, row.doc.text())));
    properties["type"] = json!({"description": meaning, "enum": names});
    properties.insert(
        "event_type".into(),
        json!({"description": "The type, as others spell its key.", "enum": names}),
    );
    let cases = KINDS.iter().flat_map(|row| {
        let own: Map<String, Value> = row.fields.iter().map(property).collect();
        let required: Vec<&str> =
            row.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        ["type", "event_type"].map(|key| {
            json!({
                "if": {"required": [key], "properties": {key: {"const": row.name}}},
                "then": {"required": required, "properties": own}
            })
        })
    });
    let cases: Vec<Value> = cases.collect();
    let required: Vec<&str> = COMMON.iter().map(|field| field.name).filter(|name| *name != "type").collect();
    let rest = json!({
        "type": "object",
        "required": required,
        "anyOf": [{"required": ["type"]}, {"required": ["event_type"]}],
        "properties": properties,
        "allOf": cases,
        "examples": [{
            "event_id": "46bd969b-9530-4e7e-a4af-29b2a01eb7a2",
            "type": "state_transition",
            "agent_id": "orchestrator",
            "timestamp_ns": 1_006_367_689,
            "parent_event_id": null,
            "payload_hash": "518326b679f26820",
            "from_state": "idle",
            "to_state": "running"
        }]
    });
    let description = "One line of a log of events: what an agent did, and what it followed from.";
    document("event.schema.json", "Event", description, rest, BTreeMap::new())
}

/// A line of the trace that a replay of a log writes.
fn trace() -> Value {
    let kind = |keys: &[TraceKey]| {
        let property = |key: &TraceKey| {
            let mut schema = match key.shape {
                "text" => json!({"type": "string"}),
                "string or null" => json!({"type": ["string", "null"]}),
                "integer" => json!({"type": "integer", "minimum": 0}),
                "bool" => json!({"type": "boolean"}),
                "list" => json!({"type": "array", "items": {"type": "string"}}),
                _ => json!({}),
            };
            schema["description"] = key.doc.text().into();
            (key.name.to_owned(), schema)
        };
        let properties: Map<String, Value> = keys.iter().map(property).collect();
        let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let mut head = kind(&TRACE_HEAD);
    head["properties"]["trace"] = json!({"description": TRACE_HEAD[0].doc, "const": TRACE_VERSION});
    let rest = json!({
        "oneOf": [head, kind(&TRACE), kind(&TRACE_END)],
        "examples": [{"trace": TRACE_VERSION, "order": "kahn", "events": 13}]
    });
    let description =
        "One line of the trace that a replay of a log of events writes, in the form of RFC 8785.";
    document("trace.schema.json", "Trace", description, rest, BTreeMap::new())
}
