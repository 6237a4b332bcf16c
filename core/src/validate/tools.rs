//! The tools and agents that a document declares.

use serde_json::Value;

use super::facts::at;
use crate::parse::{Data, Node};
use crate::text::{Set, Table, collect_one_by_one};

/// The declarations, and their scopes.
#[derive(Default)]
pub(super) struct Tools<'t> {
    /// For every agent.
    common: Option<ToolList<'t>>,
    /// The tools of the agent with that name; `None` if it declares none.
    agents: Table<&'t str, Option<ToolList<'t>>>,
    /// For one model call, by the index of its turn.
    turns: Table<usize, ToolList<'t>>,
    /// The names in all lists.
    all: Set<&'t str>,
}

/// One list of tools.
pub(super) struct ToolList<'t> {
    /// The written list.
    pub list: &'t Node,
    /// The tools by name, each with the schema of its parameters where it has one.
    pub by_name: Table<&'t str, Option<Value>>,
}

impl<'t> Tools<'t> {
    /// Reads the declarations of the document at `root` with its `turns`.
    pub(super) fn new(root: Option<&'t Node>, turns: &'t [Node]) -> Self {
        let Some(root) = root else { return Self::default() };
        let agents = root.present("agents").map(Node::entries).unwrap_or_default();
        let own = |agent: &'t Node| at(agent, &["tools"]).or_else(|| at(agent, &["config", "tools"]));
        let mut tools = Self {
            common: at(root, &["agent_config", "tools"]).or(root.present("tools")).and_then(ToolList::new),
            agents: collect_one_by_one(
                agents.iter().map(|entry| (&*entry.key.text, own(&entry.value).and_then(ToolList::new))),
            ),
            turns: collect_one_by_one(turns.iter().enumerate().filter_map(|(index, turn)| {
                Some((index, at(turn, &["llm_config", "tools"]).and_then(ToolList::new)?))
            })),
            all: Set::new(),
        };
        tools.all = collect_one_by_one(tools.lists().flat_map(|list| list.by_name.keys().copied()));
        tools
    }

    /// The tools that the model may call at `step`, as the agent with that name; `None` if unknown.
    pub(super) fn at(&self, step: usize, agent: Option<&str>) -> Option<&ToolList<'t>> {
        let turn = step.checked_sub(1).and_then(|index| self.turns.get(&index));
        let agent = || agent.and_then(|agent| self.agents.get(agent)).and_then(Option::as_ref);
        turn.or_else(agent).or(self.common.as_ref())
    }

    /// The names in all lists.
    pub(super) fn all(&self) -> &Set<&'t str> {
        &self.all
    }

    /// Whether there is any list of tools, even an empty one.
    pub(super) fn are_declared(&self) -> bool {
        self.lists().next().is_some()
    }

    fn lists(&self) -> impl Iterator<Item = &ToolList<'t>> {
        self.common.iter().chain(self.agents.values().flatten()).chain(self.turns.values())
    }

    /// The names of the agents; `None` when none are declared.
    pub(super) fn agents(&self) -> Option<impl Iterator<Item = &'t str>> {
        (!self.agents.is_empty()).then(|| self.agents.keys().copied())
    }

    /// Whether an agent of that name is declared.
    pub(super) fn has_agent(&self, name: &str) -> bool {
        self.agents.contains_key(name)
    }
}

impl<'t> ToolList<'t> {
    fn new(list: &'t Node) -> Option<Self> {
        let Data::Seq(items) = &list.data else { return None };
        let mut by_name = Table::new();
        for item in items.iter() {
            // Chat APIs wrap a tool in `function`, which another rule reports; the meaning is the same.
            let item = item.present("function").unwrap_or(item);
            let Some(name) = item.as_str().or_else(|| item.present("name")?.as_str()) else { continue };
            by_name.insert(name, item.present("parameters").map(Node::to_value));
        }
        Some(Self { list, by_name })
    }
}
