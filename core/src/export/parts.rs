//! The runs of other agents inside a run, each as a transcript of its own.

use serde_json::Value;

use crate::parse::Node;
use crate::parse::read;
use crate::text::{Set, Span, content_key, is_visible_char};
use crate::write;

/// The maximum number of runs that are extracted. With the document, they are as many files as the workbench
/// reads at once.
const MOST: usize = 9_999;
/// The maximum total size of their texts in bytes. With the largest document, it is less than the
/// limit of the workbench for unpacked files.
const BYTES: usize = 64 << 20;
/// The deepest runs within runs that are looked for.
const DEPTH: usize = 64;
/// The maximum length of an agent's name in a file name, and of a document's name: systems allow 255 bytes.
const AGENT: usize = 40;
const NAME: usize = 60;
/// How the names of the documents that the workbench opens end.
const ENDS: [&str; 5] = ["yaml", "yml", "json", "jsonl", "ndjson"];

/// The run of another agent as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its path from the folder of the document, with `/`: `agents/`, a number, the agent. All are different,
    /// and every system allows them.
    pub name: String,
    /// The full transcript as YAML.
    pub text: String,
}

/// The result of [`parts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The runs in the order in which they are met, the outer before those in it.
    pub parts: Vec<Part>,
    /// How many runs were left out because there are too many or they are too large or too deep. Those inside
    /// them are not counted.
    pub left_out: usize,
}

/// The runs of other agents inside a full transcript, those inside them too, each once however often it took place.
///
/// `whole` is the transcript's data with every run inline in its result, as from [`nested`](write::nested).
/// The cost grows with the size of the data, times the depth of runs within runs.
///
/// ```
/// use serde_json::json;
/// use transcript_core::export::parts;
/// let run = json!({"execution": [{"turn": 1, "type": "llm_call", "llm_response": {"content": "Sunny"}}]});
/// let result = json!({"agent_id": "scout", "nested_transcript": run});
/// let whole = json!({"execution": [{"tool_call": {"tool_name": "lookup", "result": result}}]});
/// let found = parts(&whole);
/// assert_eq!((found.parts.len(), found.left_out), (1, 0));
/// assert_eq!(found.parts[0].name, "agents/001-scout.yaml");
/// assert!(found.parts[0].text.starts_with("version: "));
/// ```
#[must_use]
pub fn parts(whole: &Value) -> Parts {
    let mut taker = PartCollector::new(MOST, BYTES, DEPTH);
    taker.walk(whole, 0);
    taker.out
}

struct PartCollector {
    out: Parts,
    /// The keys of the runs that were met.
    known: Set<String>,
    /// How many more runs and bytes are allowed.
    most: usize,
    bytes: usize,
    /// The deepest runs that are taken.
    deepest: usize,
}

impl PartCollector {
    fn new(most: usize, bytes: usize, deepest: usize) -> Self {
        Self { out: Parts::default(), known: Set::new(), most, bytes, deepest }
    }

    /// Extracts the runs inside a run at this `depth`.
    fn walk(&mut self, run: &Value, depth: usize) {
        let turns = run.get("execution").and_then(Value::as_array);
        for call in turns.into_iter().flatten().filter_map(|turn| turn.get("tool_call")) {
            let inside = call.get("result").and_then(|result| result.get("nested_transcript"));
            let Some(inside) = inside.filter(|run| run.is_object()) else { continue };
            if depth >= self.deepest {
                self.out.left_out += 1;
            } else if self.known.insert(content_key(inside)) && self.take(call, inside) {
                self.walk(inside, depth + 1);
            }
        }
    }

    /// Writes a run; whether there was room for it.
    fn take(&mut self, call: &Value, run: &Value) -> bool {
        let text = (self.most > 0 && self.bytes > 0).then(|| text(run));
        let Some(text) = text.filter(|text| text.len() <= self.bytes) else {
            // The rest would be written only to be measured.
            self.bytes = 0;
            self.out.left_out += 1;
            return false;
        };
        self.most -= 1;
        self.bytes -= text.len();
        let name = format!("agents/{:03}-{}.yaml", self.out.parts.len() + 1, agent(call));
        self.out.parts.push(Part { name, text });
        true
    }
}

/// A run as a document. One that is not marked as whole is completed.
fn text(run: &Value) -> String {
    if run.get("version").is_some() {
        return write::yaml(run);
    }
    let read = read::nested(&Node::from_value(run, Span::empty(0)));
    write::yaml(&write::completed(run, &read))
}

/// The agent that a tool runs, in letters, digits, `-` and `_`.
fn agent(call: &Value) -> String {
    let text = |value: Option<&Value>| {
        value.and_then(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let of_result = text(call.get("result").and_then(|result| result.get("agent_id")));
    let name = of_result.or_else(|| text(call.get("tool_name"))).unwrap_or_default();
    let clean = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = name.chars().map(clean).take(AGENT).collect();
    match name.trim_matches('-') {
        "" => "agent".to_owned(),
        name => name.to_owned(),
    }
}

/// The name of a document as a file name next to the folder of its [`parts`], valid on every system and for
/// the workbench: without folders, reserved characters, and names of devices.
///
/// ```
/// use transcript_core::export::file_name;
/// assert_eq!(file_name("run of today.yml"), "run of today.yml");
/// assert_eq!(file_name("C:\\runs\\what?.yaml"), "what_.yaml");
/// assert_eq!(file_name("notes"), "notes.yaml");
/// ```
#[must_use]
pub fn file_name(name: &str) -> String {
    let own = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, end) = match own.rsplit_once('.') {
        Some((stem, end)) if ENDS.iter().any(|known| end.eq_ignore_ascii_case(known)) => (stem, end),
        _ => (own, "yaml"),
    };
    let clean = |c: char| if is_visible_char(c) && !r#":*?"<>|"#.contains(c) { c } else { '_' };
    let stem: String = stem.chars().map(clean).take(NAME).collect();
    let stem = match stem.trim_matches([' ', '.']) {
        "" => "transcript",
        stem => stem,
    };
    let device = stem.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_device = ["CON", "PRN", "AUX", "NUL"].contains(&&*device)
        || ["COM", "LPT"].iter().any(|port| device.strip_prefix(port).is_some_and(is_port));
    format!("{}{stem}.{end}", if is_device { "_" } else { "" })
}

/// Whether this is what follows `COM` or `LPT` in the name of a device: one digit, three of which may be
/// superscript.
fn is_port(rest: &str) -> bool {
    matches!(rest, "¹" | "²" | "³") || (rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::{Document, Limits};

    fn call(agent: &str, run: &Value) -> Value {
        json!({"turn": 1, "type": "tool_call", "tool_call":
            {"id": "c1", "tool_name": "ask", "parameters": {}, "result": {"agent_id": agent, "nested_transcript": run}}})
    }

    fn text_part(text: &str) -> Value {
        json!({"execution": [{"turn": 1, "type": "llm_call", "llm_response": {"content": text}}]})
    }

    fn names(found: &Parts) -> Vec<&str> {
        found.parts.iter().map(|part| part.name.as_str()).collect()
    }

    #[test]
    fn runs_come_in_the_order_in_which_they_are_met_and_equal_ones_once() {
        let outer = json!({"execution": [call("inner", &text_part("b")), call("again", &text_part("b"))]});
        let whole = json!({"execution": [call("outer", &outer), call("late", &text_part("c")), call("third", &text_part("b"))]});
        let found = parts(&whole);
        assert_eq!(names(&found), ["agents/001-outer.yaml", "agents/002-inner.yaml", "agents/003-late.yaml"]);
        assert_eq!(found.left_out, 0);
    }

    #[test]
    fn each_is_a_transcript_that_opens_by_itself() {
        let outer = json!({"execution": [call("inner", &text_part("Sunny"))], "note": "kept"});
        let whole = json!({"execution": [call("outer", &outer)]});
        for part in parts(&whole).parts {
            let document = Document::open(&part.text, &Limits::default());
            assert!(document.is_whole(), "{}: {:?}", part.name, document.diagnostics());
            assert_eq!(document.timeline().unwrap().steps(), 1);
        }
        // Unknown keys stay, and the inner run is inline once.
        let text = &parts(&whole).parts[0].text;
        assert!(text.contains("note: kept"), "{text}");
        assert_eq!(text.matches("nested_transcript").count(), 1, "{text}");
    }

    #[test]
    fn a_run_that_is_marked_as_whole_stays_as_it_is() {
        let run = json!({"version": "1.0", "metadata": {"name": "own"}, "execution": []});
        let found = parts(&json!({"execution": [call("a", &run)]}));
        assert_eq!(found.parts[0].text, write::yaml(&run));
    }

    #[test]
    fn files_are_named_after_agents_in_signs_that_every_system_takes() {
        for (agent, name) in [
            ("specialist_001", "agents/001-specialist_001.yaml"),
            ("../../etc/passwd", "agents/001-etc-passwd.yaml"),
            ("C:\\a*b?.", "agents/001-C--a-b.yaml"),
            ("Köchin 料理", "agents/001-Köchin-料理.yaml"),
            ("", "agents/001-ask.yaml"),
            ("///", "agents/001-agent.yaml"),
        ] {
            assert_eq!(names(&parts(&json!({"execution": [call(agent, &text_part("a"))]}))), [name]);
        }
        let long = parts(&json!({"execution": [call(&"料".repeat(300), &text_part("a"))]}));
        assert_eq!(long.parts[0].name.len(), "agents/001-.yaml".len() + 3 * AGENT);
    }

    #[test]
    fn documents_are_named_as_every_system_takes_it() {
        for (name, file) in [
            ("run.yaml", "run.yaml"),
            ("events.jsonl", "events.jsonl"),
            ("RUN.YAML", "RUN.YAML"),
            ("../up/run.yaml", "run.yaml"),
            ("a:b*c?\"<>|.yaml", "a_b_c_____.yaml"),
            ("turned\u{202e}round.yaml", "turned_round.yaml"),
            ("page.html", "page.html.yaml"),
            (" .. ", "transcript.yaml"),
            (".yaml", "transcript.yaml"),
            ("", "transcript.yaml"),
            ("con.yaml", "_con.yaml"),
            ("LPT1.today.yaml", "_LPT1.today.yaml"),
            ("COM³.yaml", "_COM³.yaml"),
            ("company.yaml", "company.yaml"),
            ("COM10.yaml", "COM10.yaml"),
        ] {
            assert_eq!(file_name(name), file);
        }
        assert_eq!(file_name(&"é".repeat(500)), format!("{}.yaml", "é".repeat(NAME)));
    }

    #[test]
    fn what_is_too_deep_or_too_much_is_counted() {
        let take = |whole: &Value, most, bytes, deepest| {
            let mut taker = PartCollector::new(most, bytes, deepest);
            taker.walk(whole, 0);
            (taker.out.parts.len(), taker.out.left_out)
        };
        let deep =
            (0..5).fold(text_part("end"), |run, at| json!({"execution": [call(&at.to_string(), &run)]}));
        assert_eq!(take(&deep, MOST, BYTES, 3), (3, 1));
        assert_eq!(take(&deep, MOST, BYTES, DEPTH), (5, 0));

        let runs: Vec<Value> = (0..4).map(|at| call("a", &text_part(&at.to_string()))).collect();
        let whole = json!({ "execution": runs });
        assert_eq!(take(&whole, 3, BYTES, DEPTH), (3, 1));
        let one = parts(&whole).parts[0].text.len();
        assert_eq!(take(&whole, MOST, 2 * one, DEPTH), (2, 2));
    }

    #[test]
    fn what_has_no_runs_has_no_parts() {
        for whole in [
            json!(null),
            json!({"execution": {}}),
            json!({"execution": [null, {"tool_call": {"result": {"nested_transcript": "text"}}}]}),
        ] {
            assert_eq!(parts(&whole), Parts::default());
        }
    }
}
