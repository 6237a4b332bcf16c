//! A test for `pytest` that checks an agent in Python against the run, which `transcript serve` plays. It
//! passes as written: until the user's agent replaces it, the client sends the recorded requests.

use super::formats::Format;
use super::literal::{python, python_lines, python_text};
use super::losses::Losses;
use super::requests::requests;
use super::{Exported, Settings, embedded_text};
use crate::replay::Timeline;

pub(super) static FORMAT: Format = Format {
    name: "test-python",
    title: "Test in Python",
    purpose: "For pytest",
    description: "a test that reads FILES by path, or embeds stdin, compressed files and logs",
    file: ("test_", ".py"),
    takes_path: true,
    ..Format::BASE
};

const HEAD: &str = "\
\"\"\"Tests an agent against a recording: it must send the recorded requests, and gets the recorded responses.

Run it with `pytest`. It needs the package `openai`, and `transcript-workbench` of npm for `npx transcript`.
\"\"\"

";

const AGENT: &str = "\
# ---- Your agent ----------------------------------------------------------------------------------------------
# Run it here with `base_url` as the address of its vendor. Until then the client asks what the recording asked.
def agent(base_url):
    client = OpenAI(api_key=\"none\", base_url=base_url, max_retries=0)
    for call in CALLS:
        messages = [message for start, end in call for message in MESSAGES[start:end]]
";

const REST: &str = "\
# ---------------------------------------------------------------------------------------------------------------


def transcript(*arguments):
    \"\"\"The command line of the workbench; one that is not installed is not loaded.\"\"\"
    npx = shutil.which(\"npx\")
    assert npx, \"there is no npx: install Node.js, and transcript-workbench with npm\"
    return [npx, \"--no\", \"--\", \"transcript\", *arguments]


def stop(process):
    \"\"\"Ends the server, which npx does not do when it is ended itself.\"\"\"
    if os.name == \"nt\":
        subprocess.run([\"taskkill\", \"/F\", \"/T\", \"/PID\", str(process.pid)], capture_output=True, check=False)
    else:
        os.killpg(process.pid, signal.SIGTERM)


@pytest.fixture
def server(recording):
    \"\"\"The address of a server that answers as the recording does.\"\"\"
    command = transcript(\"serve\", str(recording), \"--port\", \"0\")
    with subprocess.Popen(
        command, cwd=HERE, stdout=subprocess.PIPE, encoding=\"utf-8\", start_new_session=True
    ) as process:
        try:
            found = re.search(r\"http://\\S+\\d\", process.stdout.readline())
            assert found, \"the recording cannot be served\"
            yield found.group()
        finally:
            stop(process)


def test_the_agent_sends_what_was_recorded(server):
    agent(f\"{server}/v1\")
    with urllib.request.urlopen(f\"{server}/transcript\") as answer:
        sessions = json.load(answer)[\"sessions\"]
";

pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    let mut losses = Losses::default();
    let requests = requests(timeline, &mut losses);
    let transcript = timeline.transcript();
    let asserts = transcript.end.as_ref().is_some_and(|end| !end.assertions.is_empty());
    let mut out = String::from(HEAD);
    if requests.failed {
        out.push_str("import contextlib\n");
    }
    out.push_str("import json\nimport os\nimport re\nimport shutil\nimport signal\nimport subprocess\nimport urllib.request\n");
    out.push_str("from pathlib import Path\n\nimport pytest\n");
    out.push_str(if requests.failed {
        "from openai import APIStatusError, OpenAI\n"
    } else {
        "from openai import OpenAI\n"
    });
    out.push_str("\nHERE = Path(__file__).resolve().parent\n");
    if settings.path.is_none() {
        out.push_str(&format!("RECORDING = {}\n", python_lines(&embedded_text(timeline, settings))));
    }
    out.push_str(
        "\n# What the recording has: the messages, and of each call from which to which it was sent them.\n",
    );
    out.push_str("MESSAGES = [\n");
    for message in &requests.messages {
        out.push_str(&format!("    {},\n", python(message)));
    }
    out.push_str("]\nCALLS = [\n");
    for call in &requests.calls {
        let ranges: Vec<String> = call.iter().map(|(start, end)| format!("({start}, {end})")).collect();
        out.push_str(&format!("    [{}],\n", ranges.join(", ")));
    }
    out.push_str("]\n\n\n");
    out.push_str(AGENT);
    let model = transcript.config.get("model").and_then(serde_json::Value::as_str).unwrap_or("recorded");
    let create = format!("client.chat.completions.create(model={}, messages=messages)\n", python_text(model));
    out.push_str(&match requests.failed {
        true => format!("        # A call that failed in the recording fails again.\n        with contextlib.suppress(APIStatusError):\n            {create}"),
        false => format!("        {create}"),
    });
    out.push_str("\n\n@pytest.fixture\n");
    out.push_str(&match &settings.path {
        Some(path) => format!("def recording():\n    return HERE / {}\n", python_text(path)),
        None => "def recording(tmp_path):\n    file = tmp_path / \"recording.yaml\"\n    \
                 file.write_bytes(RECORDING.encode())\n    return file\n"
            .to_owned(),
    });
    out.push_str("\n\n");
    out.push_str(REST);
    // Without model calls, the server gets no requests.
    let sessions_exist = if requests.calls.is_empty() { "" } else { "sessions and " };
    out.push_str(&format!(
        "    assert {sessions_exist}all(session[\"complete\"] and not session[\"diverged\"] for session in sessions), sessions\n"
    ));
    if asserts {
        out.push_str(
            "\n\ndef test_the_assertions_hold(recording):\n    \
             done = subprocess.run(transcript(\"check\", str(recording)), cwd=HERE, capture_output=True, encoding=\"utf-8\")\n    \
             assert done.returncode == 0, done.stdout + done.stderr\n",
        );
    }
    Exported { text: out, losses: losses.finish() }
}
