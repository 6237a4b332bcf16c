"""Spans as OpenTelemetry's own instrumentation of `openai` makes them, written by its exporter and by protobuf.

`made/otlp-genai.json` is what an OTLP/HTTP exporter sends as JSON, with ids in hex as its specification says;
`made/otlp-protobuf.json` is what protobuf's own `MessageToJson` writes of the same message, with ids in Base64.
"""

import base64
import json
import os
from pathlib import Path

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

import httpx
import openai
from google.protobuf.json_format import MessageToJson
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

MADE = Path(__file__).parent.parent / "fixtures" / "made"
ANSWERS = [
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": f"call_{n}", "type": "function", "function": {"name": "weather", "arguments": json.dumps({"city": city})}}
            for n, city in ((1, "NYC"), (2, "LA"))
        ],
    },
    {"role": "assistant", "content": "NYC is sunny; LA did not answer."},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Tells the weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


def answer(_request):
    said = ANSWERS.pop(0)
    finish = "tool_calls" if said.get("tool_calls") else "stop"
    return httpx.Response(
        200,
        json={
            "id": f"chatcmpl-{2 - len(ANSWERS)}",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-5-mini-2026",
            "choices": [{"index": 0, "message": said, "finish_reason": finish}],
            "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
        },
    )


exporter = InMemorySpanExporter()
provider = TracerProvider(resource=Resource({"service.name": "weather"}))
provider.add_span_processor(SimpleSpanProcessor(exporter))
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = openai.OpenAI(
    api_key="none", base_url="http://localhost/v1", http_client=httpx.Client(transport=httpx.MockTransport(answer))
)
tracer = provider.get_tracer("weather")
messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How is NYC, how is LA?"}]
with tracer.start_as_current_span("invoke_agent planner") as agent:
    agent.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "planner"})
    first = client.chat.completions.create(model="gpt-5-mini", messages=messages, tools=TOOLS, temperature=0.25)
    messages.append(first.choices[0].message.model_dump(exclude_none=True))
    for call in first.choices[0].message.tool_calls:
        result = '{"sky": "sunny", "temp_f": 72}' if "NYC" in call.function.arguments else "the service did not answer in time"
        with tracer.start_as_current_span("execute_tool weather") as span:
            span.set_attributes(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "weather",
                    "gen_ai.tool.call.id": call.id,
                    "gen_ai.tool.call.arguments": call.function.arguments,
                    "gen_ai.tool.call.result": result,
                }
            )
            if "NYC" not in call.function.arguments:
                span.record_exception(TimeoutError("no answer"))
                span.set_attribute("error.type", "TimeoutError")
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    client.chat.completions.create(model="gpt-5-mini", messages=messages, tools=TOOLS, temperature=0.25)
provider.shutdown()


def hexed(value):
    """The same with ids as OTLP has them in JSON."""
    if isinstance(value, list):
        return [hexed(item) for item in value]
    if isinstance(value, dict):
        ids = ("traceId", "spanId", "parentSpanId")
        return {key: base64.b64decode(item).hex() if key in ids else hexed(item) for key, item in value.items()}
    return value


MADE.mkdir(exist_ok=True)
written = MessageToJson(encode_spans(exporter.get_finished_spans()), indent=None)
(MADE / "otlp-protobuf.json").write_text(written + "\n", encoding="utf-8", newline="\n")
(MADE / "otlp-genai.json").write_text(json.dumps(hexed(json.loads(written))) + "\n", encoding="utf-8", newline="\n")
