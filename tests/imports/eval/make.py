"""Writes the logs of this folder with Inspect AI and its model for tests: `pip install inspect-ai==0.3.285`, then
`python make.py`. Ids, times and versions are those of the run, so that no two runs write the same bytes."""

import json
import os
import tempfile
import zipfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, solver, system_message, use_tools
from inspect_ai.tool import ToolError, tool

FOLDER = Path(__file__).resolve().parent
LONG = "The long text of the order 4471. " * 5


@tool
def lookup():
    async def execute(key: str) -> str:
        """Looks an order up.

        Args:
            key: The number of the order.
        """
        if key == "0":
            raise ToolError("no such key")
        return LONG

    return execute


@solver
def failing():
    async def solve(state, generate):
        if state.sample_id == "breaks":
            raise ValueError("the sample breaks")
        return state

    return solve


def answers(messages, *_):
    """A call of the tool first, and then what it gave."""
    last = messages[-1]
    if last.role == "user":
        key = "0" if "another" in last.text else "4471"
        output = ModelOutput.for_tool_call("mockllm/model", "lookup", {"key": key})
    else:
        output = ModelOutput.from_content("mockllm/model", "The order is 4471.")
    # Without these it counts tokens, for which it asks the network.
    output.usage = ModelUsage(input_tokens=30, output_tokens=5, total_tokens=35)
    return output


def run(name, samples, epochs=1, solvers=()):
    """Evaluates samples, and puts the log into this folder."""
    task = Task(
        name=name,
        dataset=samples,
        solver=[system_message("You look orders up."), *solvers, use_tools(lookup()), generate()],
        scorer=includes(),
        epochs=epochs,
    )
    model = get_model("mockllm/model", custom_outputs=answers)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        [log] = eval(task, model=model, log_dir=folder, log_format="eval", display="none", fail_on_error=False)
        again(log.location.removeprefix("file://"), name)


def without_places(value):
    """The value without the stacks of errors, which tell where programs lie on a machine."""
    if isinstance(value, list):
        return [without_places(item) for item in value]
    if isinstance(value, dict):
        return {key: "" if key.startswith("traceback") else without_places(item) for key, item in value.items()}
    return value


def again(source, name, is_left=lambda name: True, method=zipfile.ZIP_ZSTANDARD):
    """Writes the members of a log once more, packed by a method, and not all of them."""
    with zipfile.ZipFile(FOLDER / source) as old, zipfile.ZipFile(FOLDER / f"{name}.eval", "w", method) as new:
        for member in filter(is_left, old.namelist()):
            content = without_places(json.loads(old.read(member)))
            new.writestr(member, json.dumps(content, separators=(",", ":"), ensure_ascii=False))


def sample(id, input="Which order?"):
    return Sample(id=id, input=input, target="4471")


run("one", [sample("first")])
run("epochs", [sample(1), sample(2, "And another?")], epochs=2)
run(
    "names",
    [
        sample("a/b"),
        sample("../up"),
        sample("ein Größe: 注文?"),
        sample("x_epoch_2"),
        Sample(id="breaks", input=[ChatMessageUser(content="Does it break?")], target="x"),
    ],
    solvers=[failing()],
)


# Releases before Zstandard wrote deflate.
again("one.eval", "deflate", method=zipfile.ZIP_DEFLATED)
# What lies there while the samples still run: the journal, and the samples that have ended.
ends = ("header.json", "summaries.json", "reductions.json")
again("epochs.eval", "running", lambda name: name not in ends and "2_epoch_2" not in name)
