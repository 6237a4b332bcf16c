//! Types of the core from the answers of workers in JSON.
//!
//! The page and its workers are built together, so an answer always fits the type. A missing value, or a value of another kind,
//! becomes empty. Decoding cannot fail, so the compiler drops the error paths of derived code.
//!
//! Structs are read field by field in the order of their declaration, enums by the place of their names. Types may have
//! structs, enums without data, texts, booleans, `u32`, `u64`, `i64`, `f64`, options, lists, tuples, maps and JSON values. A tuple
//! is always whole. They may not have `alias`, `flatten`, or a default that is not empty: the test below compares every type with `serde_json`.
//! Only `encoding::present`, which tells an absent field from null, may read a newtype where a field is absent.

use std::fmt;

use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, map};

/// The value as a type of plain data. Enums have no data.
pub(crate) fn decode<T: DeserializeOwned>(value: &Value) -> T {
    match T::deserialize(Json(Some(value))) {
        Ok(decoded) => decoded,
        Err(error) => match error {},
    }
}

/// No value fails to fit.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        unreachable!("the page and its workers have the same types")
    }
}

/// A value, or an absent field.
#[derive(Clone, Copy)]
struct Json<'de>(Option<&'de Value>);

// Not inlined: each field calls them.
impl<'de> Json<'de> {
    fn value(self) -> &'de Value {
        self.0.unwrap_or(&Value::Null)
    }

    #[inline(never)]
    fn number(self) -> u64 {
        self.value().as_u64().unwrap_or_default()
    }

    #[inline(never)]
    fn text(self) -> String {
        self.value().as_str().unwrap_or_default().to_owned()
    }

    #[inline(never)]
    fn is_true(self) -> bool {
        *self.value() == Value::Bool(true)
    }

    #[inline(never)]
    fn place_in(self, names: &[&str]) -> u32 {
        let name = self.value().as_str().unwrap_or_default();
        names.iter().position(|known| *known == name).unwrap_or(names.len() - 1) as u32
    }
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Never;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        match self.value() {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_bool(self.is_true())
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_u32(self.number() as u32)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_u64(self.number())
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_i64(self.value().as_i64().unwrap_or_default())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_f64(self.value().as_f64().unwrap_or_default())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_string(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        if self.value().is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Never> {
        if self.0.is_none() { visitor.visit_none() } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_seq(Items(self.value().as_array().map(Vec::as_slice).unwrap_or_default().iter()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor
            .visit_map(Entries { entries: self.value().as_object().map(map::Map::iter), value: &Value::Null })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields { object: self.value(), names: fields.iter() })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_enum(Variant(self.place_in(variants)))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple_struct identifier
        ignored_any
    }
}

/// The fields of an object in the order of the struct.
struct Fields<'de> {
    object: &'de Value,
    names: std::slice::Iter<'static, &'static str>,
}

impl<'de> SeqAccess<'de> for Fields<'de> {
    type Error = Never;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Never> {
        seed.deserialize(self.next_field()).map(Some)
    }
}

impl<'de> Fields<'de> {
    #[inline(never)]
    fn next_field(&mut self) -> Json<'de> {
        let name = self.names.next().copied().unwrap_or_default();
        Json(self.object.get(name))
    }
}

struct Items<'de>(std::slice::Iter<'de, Value>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Never;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Never> {
        self.0.next().map(|item| seed.deserialize(Json(Some(item)))).transpose()
    }
}

struct Entries<'de> {
    entries: Option<map::Iter<'de>>,
    value: &'de Value,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Never;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Never> {
        let Some((key, value)) = self.entries.as_mut().and_then(Iterator::next) else { return Ok(None) };
        self.value = value;
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Never> {
        seed.deserialize(Json(Some(self.value)))
    }
}

/// A variant without data, by its place.
struct Variant(u32);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Never;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Never> {
        let at: U32Deserializer<Never> = self.0.into_deserializer();
        Ok((seed.deserialize(at)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Never;

    fn unit_variant(self) -> Result<(), Never> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Never> {
        seed.deserialize(Json(None))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        Json(None).deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields { object: &Value::Null, names: fields.iter() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::json;
    use std::fmt::Debug;
    use transcript_core::document::{Document, Limits, Options};
    use transcript_core::export::Settings;
    use transcript_core::view::{
        AnswerLine, Bundle, BundledFile, Card, CardList, ChatFacts, ChatMessage, Compaction, Comparison,
        ComparisonRow, ComparisonSide, DeterminismReport, DocumentOutline, EditAnswer, EventAbout, EventCone,
        EventLog, EventView, Exchange, ExportView, FoundStep, HandlersView, HistoryEntry, HistoryFacts,
        LanesView, ListedProblem, ListedStep, OutcomeList, PageRequest, PlayMode, PlayResult, Redaction,
        Refusal, RowKind, RunStrip, SideFacts, SideRow, StateTree, StepAnswer, TabRequest, TextEdit,
        TravelAnswer, UnreadableDocument, UnreadableError, check_determinism, difference, difference_options,
        edit, handlers, play_document, redaction, redaction_options,
    };
    use transcript_core::wire::ToolCall;
    use transcript_reader::Reader;

    /// Decodes a value as `serde_json` does.
    fn same<T: DeserializeOwned + PartialEq + Debug>(value: &Value) {
        assert!(!value.is_null());
        assert_eq!(decode::<T>(value), serde_json::from_value::<T>(value.clone()).unwrap());
    }

    fn each<T: DeserializeOwned + PartialEq + Debug>(values: &Value) {
        let values = values.as_array().unwrap();
        assert!(!values.is_empty());
        values.iter().for_each(same::<T>);
    }

    fn parse(answer: &str) -> Value {
        serde_json::from_str(answer).unwrap()
    }

    #[test]
    fn answers_of_the_reader_are_what_serde_reads() {
        let run = include_str!("../../../public/examples/context_management.yaml");
        let mut reader = Reader::new();
        let answer = parse(&reader.read(1, run, &[0], &[0]));
        same::<DocumentOutline>(&answer["outline"]);
        each::<ListedStep>(&answer["rows"]["0"]);
        same::<StepAnswer>(&parse(&reader.step(1, 4, 40).unwrap()));
        same::<RunStrip>(&parse(&reader.strip(1, "", true).unwrap()));
        each::<FoundStep>(&parse(&reader.offer(1, "report", 9).unwrap()));
        let mut look = |request: TabRequest| parse(&reader.look(1, 4, &json!(request).to_string()).unwrap());
        let (page, without_hidden) = (PageRequest { start: None, length: 40 }, false);
        let chat = look(TabRequest::Chat { page, without_hidden });
        same::<ChatFacts>(&chat["facts"]);
        each::<ChatMessage>(&chat["items"]);
        let sides = look(TabRequest::Sides { page, without_hidden });
        same::<SideFacts>(&sides["facts"]);
        each::<SideRow>(&sides["items"]);
        let history = look(TabRequest::History { page, path: "budget_tokens".to_owned() });
        same::<HistoryFacts>(&history["facts"]);
        each::<HistoryEntry>(&history["items"]);
        let (filter, toggled) = (String::new(), Vec::new());
        same::<StateTree>(&look(TabRequest::State { only_changes: false, filter, toggled }));
        same::<Exchange>(&look(TabRequest::Exchange));
        // A text with problems, fixes and other places, and one of unknown format.
        let broken = "name: run\nversion: 1.0\nname: again\nmessages: ['usr: Hi']\n";
        let answer = parse(&reader.read(2, broken, &[0], &[0]));
        each::<ListedProblem>(&answer["problems"]["0"]);
        reader.read(4, "name: run\nversion: 1.0\nexecution: []\n", &[], &[]);
        same::<TextEdit>(&parse(&reader.fixed(4).unwrap()));
        let unknown =
            parse(&reader.read(3, "{\"contents\": [{\"role\": \"user\", \"parts\": []}]}", &[], &[]));
        same::<DocumentOutline>(&unknown["outline"]);
        same::<Refusal>(&parse(&reader.refuse(b"\xff\xfe\x00")));
    }

    #[test]
    fn reports_and_logs_are_what_serde_reads() {
        fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
            let data = json!(value);
            assert_eq!(decode::<T>(&data), value);
        }
        let log = include_str!("../../../public/examples/event_log_dag.jsonl").to_owned();
        let log = EventLog::open(log);
        both::<LanesView>(log.lanes());
        both::<EventAbout>(log.about(3).unwrap());
        both::<EventCone>(log.cone(3).unwrap());
        log.rows_of(&[0, 3]).into_iter().for_each(both::<EventView>);
        let changing = include_str!("../../../public/examples/nondeterministic.yaml");
        let report = check_determinism(changing.as_bytes(), 1, &Options::default());
        assert!(report.first_difference.is_some());
        both::<DeterminismReport>(report);
    }

    #[test]
    fn outcomes_are_what_serde_reads() {
        let run = "messages: ['user: Hi', 'assistant: It is 71']\ncontext: {a: null}\n\
                   assertions: [{equals: It is 72}, {context_value: a, value: 1}, {context_value: b, value: 1}, {odd: 1}]";
        let document = Document::open(run, &Limits::default());
        let listed = json!(document.list_outcomes());
        same::<OutcomeList>(&listed);
        let played = play_document(&document, PlayMode::Strict, &Options::default());
        assert!(!played.steps.is_empty());
        same::<PlayResult>(&json!(played));
        let evidence = |at: usize| decode::<OutcomeList>(&listed).outcomes[at].evidence[0].clone();
        assert_eq!(evidence(1).actual, Some(Value::Null));
        assert_eq!(evidence(2).actual, None);
    }

    #[test]
    fn changed_runs_are_what_serde_reads() {
        let run = "messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Bye']";
        let document = Document::open(run, &Limits::default());
        let edit = json!({"edit_message": {"step": 0, "content": "Good day"}});
        same::<TravelAnswer>(&json!(document.travel(&edit)));
        let refused = json!(document.travel(&json!({"skip": {"step": "7"}})));
        assert!(!refused["problem"].is_null());
        same::<TravelAnswer>(&refused);
    }

    #[test]
    fn edits_are_what_serde_reads() {
        let run = "messages: ['user: Hi']";
        let make = |change: Value| json!(edit(run, &change, &Limits::default()));
        let made = make(json!({"set_text": {"message": "msg_001", "text": "Yo"}}));
        assert_eq!(made["ok"], true);
        same::<EditAnswer>(&made);
        let refused = make(json!({"remove": {"path": ["nothing"]}}));
        assert!(!refused["problem"].is_null());
        same::<EditAnswer>(&refused);
    }

    #[test]
    fn cards_are_what_serde_reads() {
        let call =
            ToolCall { id: "c1".to_owned(), name: "weather".to_owned(), arguments: json!({"city": "Rome"}) };
        let message =
            Card { id: Some("m".to_owned()), tool_calls: vec![call], visible: false, ..Card::default() };
        let turn = Card {
            kind: Some("message".to_owned()),
            path: vec!["execution".into(), 0.into()],
            ..Card::default()
        };
        same::<CardList>(&json!(CardList { ok: true, compact: false, cards: vec![message, turn] }));
    }

    #[test]
    fn comparisons_are_what_serde_reads() {
        let open = |text: &str| Document::open(text, &Limits::default());
        let (left, right) =
            (open("messages: ['user: Hi', 'assistant: Hello!']"), open("name: b\nmessages: ['user: Ho']"));
        let options = difference_options(&Value::Null).unwrap();
        let found = difference(&left, &right, &options).unwrap();
        let row = ComparisonRow { kind: RowKind::Removed, left: Some(1), right: None };
        let side = ComparisonSide { steps: left.steps(), step_count: 1, ..ComparisonSide::default() };
        let error = Some(UnreadableError { line: 2, message: "bad".to_owned() });
        same::<Comparison>(&json!(Comparison {
            ok: true,
            unreadable: vec![UnreadableDocument { name: "a".to_owned(), error }],
            equal: found.equal,
            summary: found.summary,
            changes: found.changes,
            ignored: found.ignored,
            rows: vec![row],
            left: side.clone(),
            right: side,
        }));
    }

    #[test]
    fn handlers_are_what_serde_reads() {
        for text in [
            include_str!("../../../public/examples/handler_conditional.yaml"),
            include_str!("../../../public/examples/handler_fsm.yaml"),
        ] {
            let found = handlers(text, &Limits::default());
            assert!(!found.agents.is_empty());
            same::<HandlersView>(&json!(found));
        }
        let calls = vec![("weather".to_owned(), "{}".to_owned())];
        same::<AnswerLine>(&json!(AnswerLine { text: "Hi".to_owned(), calls }));
    }

    #[test]
    fn other_forms_of_a_document_are_what_serde_reads() {
        let text = "execution: [{turn: 1, type: message, timestamp: '2026-01-01T00:00:00Z', \
                    message_created: {id: a, role: user, content: Sunny}}]";
        let document = Document::open(text, &Limits::default());
        let compaction = document.compacted(true);
        assert!(!compaction.losses.is_empty());
        same::<Compaction>(&json!(compaction));
        same::<ExportView>(&json!(document.exported("markdown", &Settings::default()).unwrap()));
        let options = redaction_options(&json!({"literals": ["Sunny"]})).unwrap();
        let redacted = redaction(text, &options, &Limits::default());
        assert!(!redacted.items.is_empty());
        same::<Redaction>(&json!(redacted));
        let files = vec![BundledFile { path: "a.yaml".to_owned(), bytes: 7 }];
        same::<Bundle>(&json!(Bundle { ok: true, base64: "AA".to_owned(), files, left_out: 1 }));
    }

    #[test]
    fn numbers_are_kept() {
        let numbers = json!([[-3, 9_007_199_254_740_993_u64, 0.1, -0.5]]);
        each::<Vec<Value>>(&numbers);
        assert_eq!(decode::<Vec<f64>>(&json!([0.25, -2.5])), [0.25, -2.5]);
        assert_eq!(decode::<Vec<i64>>(&json!([-7])), [-7]);
    }
}
