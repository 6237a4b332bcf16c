//! The chat history of aider, in Markdown: prompts in `####` headings, what the program prints in quotes, and answers.

use serde_json::Value;

use super::formats::{Detection, Format, Words};
use super::keys::{non_null_except, text};
use super::runs::{Refusal, Request, Runs};
use super::session::{
    Answer, Role, Sections, SessionBuilder, SessionFormat, TextSession, detected, lines, one,
};

pub(super) static FORMAT: Format = Format {
    kind: "aider-history",
    names: &["aider", "aider-history"],
    title: "aider",
    may_be_empty: true,
    rank: 90,
    ..Format::BASE
};

pub(super) static WORDS: Words = Words {
    run: "a chat with aider",
    entry: ("section", "sections"),
    plural: "chat histories of aider",
    sentence: "this is a chat history of aider",
    unit: "sections",
    ..Words::BASE
};

const BEGIN: &str = "# aider chat started at ";

pub(super) static DETECTION: Detection = Detection {
    text_of: |text| {
        let begins = |begin: &str| text.starts_with(begin) || text.contains(&format!("\n{begin}"));
        let is_chat = begins(BEGIN) || begins("<div class=\"chat-transcript\"") && begins("#### ");
        detected(&FORMAT, is_chat, "it has the headings of a chat history of aider")
    },
    ..Detection::NONE
};

static SESSIONS: SessionFormat =
    SessionFormat { name: "aider", split: Some(split), read: read_section, ..SessionFormat::BASE };

pub(super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    SESSIONS.read_request(request)
}

fn split(text: &str) -> Vec<TextSession> {
    let mut sections = Sections::default();
    let mut has_prompt = false;
    let mut is_code = false;
    // aider ends its lines with two blanks, unless they were removed. Lines of an answer may begin alike.
    let has_blanks = lines(text).any(|line| line.text.starts_with("> ") && line.text.ends_with("  "));
    for line in lines(text) {
        let text = line.text.trim_end();
        let is_own = line.text.ends_with("  ") || !has_blanks && !is_code;
        let prompt = text.strip_prefix("####").filter(|rest| rest.is_empty() || rest.starts_with(' '));
        if let Some(time) = text.strip_prefix(BEGIN) {
            sections.begin_session(one("started", time));
            (has_prompt, is_code) = (false, false);
        } else if let Some(prompt) = prompt.filter(|_| is_own) {
            sections.turn_to("user");
            sections.add(&line, prompt.trim());
            (has_prompt, is_code) = (true, false);
        } else if text.starts_with('>') && is_own {
            sections.turn_to("output");
            sections.add(&line, text.trim_start_matches('>').trim());
            is_code = false;
        } else if !text.is_empty() || sections.kind() == "answer" {
            let is_mark = text == "</div>" || text.starts_with("<div class=\"chat-transcript\"");
            let is_answer = has_prompt && (!is_mark || is_code);
            sections.turn_to(if is_answer { "answer" } else { "text" });
            sections.add(&line, text);
            is_code ^= is_answer && text.starts_with("```");
        }
    }
    sections.end_section();
    sections.sessions
}

fn read_section(entry: &Value, session: &mut SessionBuilder) -> Role {
    let content = text(entry, "content").unwrap_or_default();
    match text(entry, "type") {
        Some("user") => session.message("user", content, non_null_except(entry, &["type", "content"])),
        Some("answer") => {
            let (reasoning, content) = thought(content);
            session.answer(Answer { content, reasoning, ..Answer::default() });
        }
        Some("output") => {
            let mut models = content.lines().filter_map(|line| {
                line.strip_prefix("Model: ").or_else(|| line.strip_prefix("Main model: "))
            });
            let model = models.next_back().and_then(|model| model.split(' ').next());
            session.model = model.map(str::to_owned).or_else(|| session.model.take());
            return Role::Other;
        }
        _ => return Role::Other,
    }
    Role::Step
}

/// The reasoning at the begin of an answer, and the rest.
fn thought(content: &str) -> (String, String) {
    let marked = content.strip_prefix("► **THINKING**").and_then(|rest| rest.split_once("► **ANSWER**"));
    let tagged = || {
        let (tag, rest) = content.strip_prefix("<thinking-content-")?.split_once('>')?;
        rest.split_once(&format!("</thinking-content-{tag}>"))
    };
    let (thought, answer) = marked.or_else(tagged).unwrap_or(("", content));
    (thought.trim().to_owned(), answer.trim().to_owned())
}
