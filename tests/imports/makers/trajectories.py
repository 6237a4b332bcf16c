"""Trajectories as harbor's own converters write them, and sessions as they make them of a trajectory.

The sessions of Claude Code and Codex among the fixtures are converted, and one more of Claude Code that has an agent of
its own and two calls at once, of which one fails.
"""

import json
import shutil
import tempfile
from pathlib import Path

from harbor.agents.installed.claude_code import ClaudeCode
from harbor.agents.installed.codex import Codex

FIXTURES = Path(__file__).parent.parent / "fixtures"
MADE = FIXTURES / "made"
SESSION = "3f2a0000-0000-4000-8000-000000000002"


def line(number, parent, kind, message, **others):
    """A record of Claude Code."""
    uuid = "00000000-0000-4000-8000-0000000000{:02d}"
    return {
        "parentUuid": uuid.format(parent) if parent else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/app",
        "sessionId": SESSION,
        "version": "2.1.230",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, **message},
        "uuid": uuid.format(number),
        "timestamp": f"2026-05-01T10:00:{number:02d}.000Z",
        **others,
    }


def said(number, content):
    usage = {"input_tokens": 10, "output_tokens": 5}
    return {"id": f"msg_{number}", "type": "message", "model": "claude-sonnet-4-5", "content": content, "usage": usage}


def call(id, name, input):
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def result(id, content, **others):
    return {"content": [{"type": "tool_result", "tool_use_id": id, "content": content, **others}]}


ASIDE = {"isSidechain": True, "agentId": "a1"}
MAIN = [
    line(1, None, "user", {"content": "Count the files, and have the tests looked at"}),
    line(2, 1, "assistant", said(1, [{"type": "text", "text": "Both at once."}])),
    line(3, 2, "assistant", said(1, [call("toolu_1", "Bash", {"command": "ls | wc -l"})])),
    line(4, 3, "assistant", said(1, [call("toolu_2", "Task", {"prompt": "Look at the tests", "subagent_type": "reviewer"})])),
    line(5, 3, "user", result("toolu_1", "ls: permission denied", is_error=True), toolUseResult="Error: ls: permission denied"),
    line(10, 4, "user", result("toolu_2", [{"type": "text", "text": "All 3 pass"}]), toolUseResult={"agentId": "a1", "status": "completed"}),
    line(11, 10, "assistant", said(2, [{"type": "text", "text": "I cannot count them; all 3 tests pass."}])),
]
AGENT = [
    line(6, None, "user", {"content": "Look at the tests"}, **ASIDE),
    line(7, 6, "assistant", said(3, [call("toolu_3", "Bash", {"command": "make test"})]), **ASIDE),
    line(8, 7, "user", result("toolu_3", "ok 3"), toolUseResult={"stdout": "ok 3", "stderr": "", "interrupted": False}, **ASIDE),
    line(9, 8, "assistant", said(4, [{"type": "text", "text": "All 3 pass"}]), **ASIDE),
]


def converted(agent, files):
    """The trajectory of the files of a session by their paths below the logs."""
    logs = Path(tempfile.mkdtemp())
    for path, text in files.items():
        (logs / path).parent.mkdir(parents=True, exist_ok=True)
        (logs / path).write_text(text, encoding="utf-8")
    made = agent(logs_dir=logs).convert_trajectory(logs)
    shutil.rmtree(logs)
    return made


def write(name, text):
    (MADE / name).write_text(text, encoding="utf-8", newline="\n")


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


MADE.mkdir(exist_ok=True)
project = "sessions/projects/-app"
read = {path.name: path.read_text(encoding="utf-8") for path in (FIXTURES / "sessions").glob("*.jsonl")}
rollout = next(name for name in read if name.startswith("codex-rollout"))
trajectories = {
    "claude": (ClaudeCode, {f"{project}/claude-code.jsonl": read["claude-code.jsonl"]}),
    "agents": (ClaudeCode, {f"{project}/{SESSION}.jsonl": lines(MAIN), f"{project}/{SESSION}/subagents/agent-a1.jsonl": lines(AGENT)}),
    "codex": (Codex, {f"sessions/2026/05/01/{rollout.removeprefix('codex-')}": read[rollout]}),
}
for name, (agent, files) in trajectories.items():
    trajectory = converted(agent, files)
    write(f"harbor-{name}.json", json.dumps(trajectory.to_json_dict(), indent=1) + "\n")
    if name != "agents":
        _, text = agent(logs_dir=MADE).atif_to_native_trajectory(trajectory, SESSION)
        write(f"harbor-{name}-session.jsonl", text)
