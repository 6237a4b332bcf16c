//! A test for `node --test` or Vitest that checks an agent against the run. It passes as written: the recording plays
//! its own calls until the user's agent replaces them.

use super::formats::Format;
use super::literal::{js_template, js_text};
use super::requests::RequestCounts;
use super::{Exported, Settings, embedded_text, name, requests};
use crate::replay::Timeline;

pub(super) static FORMAT: Format = Format {
    name: "test-js",
    title: "Test in JavaScript",
    purpose: "For node --test",
    description: "a test that reads FILES by path, or embeds stdin, compressed files and logs",
    file: ("", ".test.mjs"),
    takes_path: true,
    ..Format::BASE
};

pub(super) static VITEST: Format = Format {
    name: "test-vitest",
    title: "Test for Vitest",
    purpose: "For Vitest",
    file: ("", ".test.js"),
    ..FORMAT
};

const AGENT: &str = "\
// ---- Your agent ----------------------------------------------------------------------------------------------
// Run it here with `tape` as its model: through an adapter such as `transcript-workbench/ai-sdk`, or through
// `replayFetch(tape)` of `transcript-workbench/fetch`. Until then the recording plays its own calls.
const agent = async (tape) => {
  while (tape.replayNext() !== null);
}
// ---------------------------------------------------------------------------------------------------------------
";

pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    write_for("node:test", "node --test", timeline, settings)
}

pub(super) fn write_for_vitest(timeline: &Timeline, settings: &Settings) -> Exported {
    write_for("vitest", "vitest run", timeline, settings)
}

/// The test for a runner: the module of its `test`, and its command.
fn write_for(runner: &str, command: &str, timeline: &Timeline, settings: &Settings) -> Exported {
    let transcript = timeline.transcript();
    let title = name::run(transcript);
    let asserts = transcript.end.as_ref().is_some_and(|end| !end.assertions.is_empty());
    let counts = requests::count_requests(timeline);
    let (purpose, claim) = match counts {
        RequestCounts { recorded: 0, unrecorded: 1.. } => {
            ("it gets the recorded responses", "the agent calls its model as often as recorded")
        }
        _ => (
            "it must send the recorded requests, and gets the recorded responses",
            "the agent sends what was recorded",
        ),
    };
    let mut out = format!(
        "// Tests an agent against a recording: {purpose}.\n\
         // Run it with `{command}`. It needs the package `transcript-workbench`.\n",
    );
    let mut import = |names: &str, from: &str| out.push_str(&format!("import {names} from '{from}'\n"));
    if asserts {
        import("assert", "node:assert/strict");
    }
    if settings.path.is_some() {
        import("{ readFileSync }", "node:fs");
        import("{ dirname, resolve }", "node:path");
    }
    import("{ test }", runner);
    if settings.path.is_some() {
        import("{ fileURLToPath }", "node:url");
    }
    import(if asserts { "{ check, replay }" } else { "{ replay }" }, "transcript-workbench");
    out.push('\n');
    match &settings.path {
        Some(path) => out.push_str(&format!(
            "const file = {}\n\
             const text = readFileSync(resolve(dirname(fileURLToPath(import.meta.url)), file), 'utf8')\n",
            js_text(path)
        )),
        None => {
            out.push_str(&format!(
                "const file = 'recording.yaml'\nconst text = {}\n",
                js_template(&embedded_text(timeline, settings))
            ));
        }
    }
    out.push_str(&format!("\n{AGENT}\n"));
    let options = if counts.unrecorded > 0 { ", { unrecorded: 'allow' }" } else { "" };
    if counts.unrecorded > 0 {
        out.push_str("// Calls without a recorded request accept any request.\n");
    }
    out.push_str(&format!(
        "test({}, async () => {{\n  const tape = await replay({{ text, file }}{options})\n  await agent(tape)\n  \
         tape.assertComplete()\n}})\n",
        js_text(&format!("{title}: {claim}")),
    ));
    if asserts {
        out.push_str(&format!(
            "\ntest({}, () => {{\n  const {{ ok, rendered }} = check({{ text, file }})\n  \
             assert.ok(ok, rendered)\n}})\n",
            js_text(&format!("{title}: the assertions hold")),
        ));
    }
    Exported { text: out, losses: Vec::new() }
}
