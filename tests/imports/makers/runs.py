"""Runs as LangChain's own tracer sends them to LangSmith, and as LangSmith's own client gives them back.

An agent asks a scripted model, which calls a tool twice at once; one of the calls fails.
"""

import json
import os
from pathlib import Path

import requests
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import ToolException, tool
from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.utils.function_calling import convert_to_openai_tool
from langsmith import Client
from langsmith.schemas import Run

MADE = Path(__file__).parent.parent / "fixtures" / "made"
USAGE = {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17}


class Scripted(FakeMessagesListChatModel):
    """A model whose answers are given, and which says which tools it was given."""

    def bind_tools(self, tools, **kwargs):
        return self.bind(tools=[convert_to_openai_tool(one) for one in tools], **kwargs)


class Service(requests.Session):
    """LangSmith as far as its client asks it: a run is begun by a POST and completed by a PATCH."""

    def __init__(self):
        super().__init__()
        self.runs = {}

    def request(self, method, url, **kwargs):
        if "/runs" in url:
            told = json.loads(kwargs["data"])
            run = self.runs.setdefault(told.get("id") or url.rsplit("/", 1)[1], {})
            run.update({key: value for key, value in told.items() if value is not None})
        answer = requests.Response()
        answer.status_code, answer._content = 200, b"{}"
        return answer


@tool
def weather(city: str) -> dict:
    """Tells the weather of a city."""
    if city == "LA":
        raise ToolException("the service did not answer in time")
    return {"sky": "sunny", "temp_f": 72}


weather.handle_tool_error = True


def call(number, city):
    return {"id": f"call_{number}", "name": "weather", "args": {"city": city}}


def said(text, calls, finish):
    about = {"model_name": "scripted-1", "finish_reason": finish}
    return AIMessage(text, tool_calls=calls, usage_metadata=USAGE, response_metadata=about)


os.environ["LANGSMITH_TRACING"] = "false"
service = Service()
client = Client(api_url="http://localhost:1", api_key="none", session=service, auto_batch_tracing=False, info={})
model = Scripted(
    responses=[
        said("", [call(1, "NYC"), call(2, "LA")], "tool_calls"),
        said("NYC is sunny; LA did not answer.", [], "stop"),
    ]
)
agent = create_agent(model, [weather], system_prompt="Be brief.")
tracer = LangChainTracer(client=client, project_name="weather")
agent.invoke({"messages": [("user", "How is NYC, how is LA?")]}, config={"callbacks": [tracer]})

MADE.mkdir(exist_ok=True)
with open(MADE / "langsmith-client.jsonl", "w", encoding="utf-8", newline="\n") as file:
    for run in service.runs.values():
        # What LangSmith itself adds.
        run = {"session_id": "00000000-0000-4000-8000-000000000001", "app_path": None, **run}
        run["status"] = "error" if run.get("error") else "success"
        # Of which machine and version it is is nobody's matter.
        run["extra"].pop("runtime", None)
        file.write(Run(**run).model_dump_json(exclude_none=True) + "\n")
