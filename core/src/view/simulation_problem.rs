//! Why a simulation cannot begin, with places in the source text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::render::{TerminalStyle, terminal};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::mock::Code;
use crate::model::{HANDLER_TYPES, Variant};
use crate::parse::{Data, Entry, Key, Limits, Node, parse, read as read_node};
use crate::simulate::{InputError, Simulation};
use crate::text::{LineIndex, Place, Span};
use crate::validate;

/// Why a simulation cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulationProblem {
    /// Where in the data, such as `agents[0].tools[1].name`; empty for a text that cannot be read.
    pub path: String,
    /// The name of the error, such as `InputError`; left out where it is none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub name: Cow<'static, str>,
    /// The code of its rule, such as `T601`, where there is one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "codes::deserialize_optional_code"
    )]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub code: Option<codes::CodeName>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, where something is known.
    pub help: Option<String>,
    /// Where in the text.
    pub place: Place,
    /// How bad it is.
    pub severity: Severity,
}

/// A simulation that can begin.
#[derive(Debug)]
pub struct StartedSimulation {
    /// The simulation.
    pub simulation: Simulation,
    /// What in its handlers is probably not what was meant, such as a variable that does not exist.
    pub warnings: Vec<SimulationProblem>,
}

/// The problems as a compiler would print them, with the lines of `text`, which is the content of `file`.
///
/// ```
/// use transcript_core::diagnostic::render::TerminalStyle;
/// use transcript_core::document::Limits;
/// use transcript_core::view::{simulation, simulation_problems_text};
/// let text = "agents: [{name: bot}]\nsteps: [{op: cal}]";
/// let problems = simulation(text, &Limits::default()).unwrap_err();
/// let rendered = simulation_problems_text("sim.yaml", text, &problems, TerminalStyle::Plain);
/// assert!(rendered.starts_with("error: unknown op `cal`; use one of `call`, "), "{rendered}");
/// assert!(rendered.contains(" --> sim.yaml:2:14\n"), "{rendered}");
/// assert!(rendered.contains("= help: did you mean `call`?"), "{rendered}");
/// ```
#[must_use]
pub fn simulation_problems_text(
    file: &str,
    text: &str,
    problems: &[SimulationProblem],
    style: TerminalStyle,
) -> String {
    let to_diagnostic = |problem: &SimulationProblem| {
        // The message of a value describes the fault; the path shows which value.
        let is_predicate = ["is ", "must "].iter().any(|verb| problem.message.starts_with(verb));
        let message = match (is_predicate, &*problem.path) {
            (true, "") => format!("the simulation {}", problem.message),
            (true, path) => format!("`{path}` {}", problem.message),
            (false, _) => problem.message.clone(),
        };
        let span = Span::new(problem.place.offset as usize, problem.place.end_offset as usize);
        let mut diagnostic =
            Diagnostic::new(problem.code.unwrap_or_default(), problem.severity, span, message);
        diagnostic.help.clone_from(&problem.help);
        diagnostic
    };
    let diagnostics: Vec<Diagnostic> = problems.iter().map(to_diagnostic).collect();
    terminal(file, text, &LineIndex::new(text), &diagnostics, style)
}

/// The data of a text with its places.
pub(super) fn read(text: &str, limits: &Limits) -> Result<Node, Vec<SimulationProblem>> {
    let faults = match limits.check_size(text.len()) {
        Some(too_large) => vec![too_large],
        None => {
            let parsed = parse(text, limits);
            let faults: Vec<Diagnostic> =
                parsed.diagnostics.into_iter().filter(|fault| fault.severity == Severity::Error).collect();
            if faults.is_empty() {
                return Ok(parsed.root.unwrap_or_else(|| Node::from_value(&Value::Null, Span::default())));
            }
            faults
        }
    };
    let lines = LineIndex::new(text);
    Err(faults
        .into_iter()
        .map(|fault| problem_from_rule(fault, "SyntaxError", String::new(), text, &lines))
        .collect())
}

/// Makes a simulation of `input`, which was made of the text whose data is `root`.
pub(super) fn start_simulation(
    text: &str,
    root: &Node,
    input: &Value,
    code: &Code,
) -> Result<StartedSimulation, Vec<SimulationProblem>> {
    let lines = LineIndex::new(text);
    // The rules of handlers report all of their faults, with places and suggestions. A handler that they refuse would not
    // run as it is written: a test that cannot be read always holds, or never.
    let found = check_handlers(text, root);
    let to_problem = |fault: Diagnostic| {
        let path = path_to(root, fault.span, fault.code == codes::MISSING_KEY);
        let name = if fault.severity == Severity::Error { "InvalidHandlerError" } else { "" };
        problem_from_rule(fault, name, path, text, &lines)
    };
    let mut problems = Vec::new();
    if found.iter().any(|fault| fault.severity == Severity::Error) {
        // A key that nothing reads harms nothing, unless it stands where one was meant that is needed.
        let stops = |fault: &Diagnostic| {
            fault.severity == Severity::Error
                || fault.code == codes::UNKNOWN_KEY && fault.severity == Severity::Warning
        };
        problems = found.iter().filter(|fault| stops(fault)).cloned().map(to_problem).collect();
    }
    let begun = Simulation::with_code(input, code);
    if begun.is_ok() && !problems.is_empty() {
        return Err(problems);
    }
    let begun = begun.map(|simulation| {
        let mut found = found;
        found.extend(check_lists(text, root));
        crate::diagnostic::sort(&mut found);
        found.retain(|fault| is_warning(fault, root));
        StartedSimulation { simulation, warnings: found.into_iter().map(to_problem).collect() }
    });
    begun.map_err(|error| {
        if problems.is_empty() || !is_of_handler(&error) {
            // The tools of a document stand next to its handlers.
            let path = match root.get("agents") {
                None => {
                    error.path.split_once(".tools").map_or(error.path.clone(), |(_, of)| format!("tools{of}"))
                }
                Some(_) => error.path.clone(),
            };
            let place = Place::new(text, &lines, span_of(root, &path, error.at_key));
            let (name, message) = (error.kind, error.message);
            let help = Some(error.help).filter(|help| !help.is_empty());
            let severity = Severity::Error;
            problems = vec![SimulationProblem {
                path,
                name: name.into(),
                code: None,
                message,
                help,
                place,
                severity,
            }];
        }
        problems
    })
}

fn problem_from_rule(
    fault: Diagnostic,
    name: &'static str,
    path: String,
    text: &str,
    lines: &LineIndex,
) -> SimulationProblem {
    let place = Place::new(text, lines, fault.span);
    let Diagnostic { code, severity, message, help, .. } = fault;
    SimulationProblem { path, name: name.into(), code: Some(code), message, help, place, severity }
}

fn is_of_handler(error: &InputError) -> bool {
    error.path.starts_with("handlers") || error.path.contains(".handler") || error.path.contains(".mock")
}

/// Whether something that does not stop the run is reported anyway: it is probably a mistake.
fn is_warning(fault: &Diagnostic, root: &Node) -> bool {
    let is_meant = match fault.severity {
        Severity::Error => false,
        Severity::Warning => true,
        Severity::Info => fault.code == codes::UNKNOWN_KEY,
    };
    // The library fills no template in.
    is_meant && (fault.code != codes::BAD_EXPRESSION || !is_good_agent(root))
}

fn is_good_agent(root: &Node) -> bool {
    root.get("profile").and_then(Node::as_str) == Some("good-agent")
}

/// The findings of the rules about the handlers.
fn check_handlers(text: &str, root: &Node) -> Vec<Diagnostic> {
    let mut nodes: Vec<Entry> = root.get("handlers").map(Node::entries).unwrap_or_default().to_vec();
    for agent in root.get("agents").map(Node::items).unwrap_or_default() {
        let mock = agent.get("mock");
        let only = mock.map(Node::items).filter(|items| items.len() == 1).and_then(<[Node]>::first).or(mock);
        let Some(handler) = agent.get("handler").or(only.filter(|only| is_typed(only))) else { continue };
        nodes.push(entry_of(agent, handler.clone()));
    }
    rules(text, root, nodes)
}

/// The same of the responses that agents give one after the other, which are a handler's in all but name.
fn check_lists(text: &str, root: &Node) -> Vec<Diagnostic> {
    if is_good_agent(root) {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    for agent in root.get("agents").map(Node::items).unwrap_or_default() {
        let Some(mock) = agent.get("mock").filter(|mock| !mock.items().iter().any(is_typed)) else {
            continue;
        };
        let key = |text: &str| Key { text: text.into(), span: mock.span };
        let of_type = Node::from_value(&Value::from("queue"), mock.span);
        let entries = vec![
            Entry { key: key("type"), value: of_type },
            Entry { key: key("responses"), value: mock.clone() },
        ];
        nodes.push(entry_of(agent, Node { span: mock.span, data: Data::Map(entries.into()) }));
    }
    rules(text, root, nodes)
}

fn entry_of(agent: &Node, handler: Node) -> Entry {
    let name = agent.get("name").or(agent.get("key"));
    let text = name.and_then(Node::text).cloned().unwrap_or_else(|| "agent".into());
    Entry { key: Key { text, span: agent.span }, value: handler }
}

fn rules(text: &str, root: &Node, nodes: Vec<Entry>) -> Vec<Diagnostic> {
    let all = Node { span: root.span, data: Data::Map(nodes.into()) };
    let mut found = validate::handlers_structure(text, &all);
    found.extend(validate::handlers(text, &all, &read_node::handlers(&all)));
    crate::diagnostic::sort(&mut found);
    found
}

fn is_typed(node: &Node) -> bool {
    let name = node.get("type").and_then(Node::as_str);
    name.is_some_and(|name| HANDLER_TYPES.iter().any(|variant: &Variant| variant.name == name))
}

/// The place of what a path such as `agents[0].name` leads to, or of the last thing on the way; with `at_key`, of
/// the key at its end. A name may have stops in it.
fn span_of(root: &Node, path: &str, at_key: bool) -> Span {
    let (mut node, mut rest) = (root, path);
    let mut key = root.span;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some((index, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let item = index.parse::<usize>().ok().and_then(|index| node.items().get(index));
            let Some(item) = item else { break };
            (node, rest, key) = (item, after, item.span);
            continue;
        }
        let after = |entry: &Entry| {
            let after = rest.strip_prefix(&*entry.key.text)?;
            (after.is_empty() || after.starts_with(['.', '['])).then_some(after.len())
        };
        let fits = node.entries().iter().filter_map(|entry| Some((after(entry)?, entry)));
        let Some((left, entry)) = fits.min_by_key(|(left, _)| *left) else { break };
        (node, key) = (&entry.value, entry.key.span);
        rest = rest.get(rest.len() - left..).unwrap_or("");
    }
    if at_key { key } else { node.span }
}

/// The path of the innermost value or key at `span`; of what is `missing`, that of the map that lacks it, whose first
/// key stands there.
fn path_to(root: &Node, span: Span, missing: bool) -> String {
    let within = |outer: Span| outer.start <= span.start && span.end <= outer.end;
    let (mut node, mut path) = (root, String::new());
    loop {
        let entry = node.entries().iter().find(|entry| within(entry.key.span) || within(entry.value.span));
        let item = node.items().iter().enumerate().find(|(_, item)| within(item.span));
        node = match (entry, item) {
            (Some(entry), _) if missing && within(entry.key.span) => return path,
            (Some(entry), _) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&entry.key.text);
                &entry.value
            }
            (None, Some((index, item))) => {
                path.push_str(&format!("[{index}]"));
                item
            }
            (None, None) => return path,
        };
    }
}
