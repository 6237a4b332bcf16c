"""What AgentLoom itself makes of recordings: asked in JSON on the standard input, answered in JSON."""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from agentloom.core.results import TokenUsage
from agentloom.providers.base import BaseProvider, ProviderResponse
from agentloom.providers.mock import MockProvider, prompt_hash
from agentloom.providers.recorder import RecordingProvider

asked = json.load(sys.stdin)
folder = Path(tempfile.mkdtemp())


class Scripted(BaseProvider):
    """Answers with the words of the last message."""

    name = "scripted"

    async def complete(self, messages, model, **kwargs):
        usage = TokenUsage(prompt_tokens=3, completion_tokens=4, total_tokens=7)
        content = "You said: " + messages[-1]["content"]
        return ProviderResponse(
            content=content, model=model, provider=self.name, usage=usage, cost_usd=0.25, finish_reason="stop"
        )

    def supports_model(self, model):
        return True


async def replayed(text):
    """Every answer of a recording, asked for by its key, with how it was found."""
    path = folder / "given.json"
    path.write_text(text)
    provider = MockProvider(responses_file=path)
    answers = {}
    for key in json.loads(text):
        if key.startswith("_"):
            continue
        answer = await provider.complete([{"role": "user", "content": "?"}], "m", step_id=key)
        found = provider.calls[-1]["matched_by"]
        answers[key] = [found, answer.content, answer.model, answer.usage.total_tokens, answer.finish_reason]
    return answers


async def recorded(path, conversations):
    """The file that AgentLoom writes of conversations, beside what the file holds already."""
    provider = RecordingProvider(Scripted(), path)
    for messages in conversations:
        await provider.complete(messages, "m")
    await provider.close()
    return path.read_text()


async def main():
    extended = folder / "extended.json"
    extended.write_text(asked["recording"])
    return {
        "replayed": await replayed(asked["recording"]),
        "recorded": await recorded(folder / "own.json", asked["conversations"]),
        "extended": await recorded(extended, asked["conversations"]),
        "hashes": [prompt_hash(json.loads(text)) for text in asked["requests"]],
    }


json.dump(asyncio.run(main()), sys.stdout)
