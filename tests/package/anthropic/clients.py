"""Runs an agent with the clients for Python in every way, and prints the last words of each: `clients.py URL`."""

import json
import sys

from anthropic import Anthropic
from openai import BadRequestError, OpenAI

url = sys.argv[1]
parameters = {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}
question = "What's the weather?"


def weather(location, temp=72):
    return json.dumps({"temp": temp, "condition": "sunny"})


def chat(way, stream, temp=72):
    client = OpenAI(api_key="test", base_url=f"{url}/@{way}/v1")
    messages = [{"role": "system", "content": "You are helpful"}, {"role": "user", "content": question}]
    tools = [{"type": "function", "function": {"name": "weather", "parameters": parameters}}]
    while True:
        asked = {"model": "gpt-x", "messages": messages, "tools": tools}
        if stream:
            with client.chat.completions.stream(**asked) as events:
                for _ in events:
                    pass
                message = events.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(**asked).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = weather(**json.loads(call.function.arguments), temp=temp)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def responses(way, stream):
    client = OpenAI(api_key="test", base_url=f"{url}/@{way}/v1")
    tools = [{"type": "function", "name": "weather", "parameters": parameters, "strict": False}]
    asked = {"input": [{"role": "user", "content": question}]}
    while True:
        asked |= {"model": "gpt-x", "instructions": "You are helpful", "tools": tools}
        if stream:
            with client.responses.stream(**asked) as events:
                for _ in events:
                    pass
                response = events.get_final_response()
        else:
            response = client.responses.create(**asked)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        results = [
            {"type": "function_call_output", "call_id": call.call_id, "output": weather(**json.loads(call.arguments))}
            for call in calls
        ]
        asked = {"input": results, "previous_response_id": response.id}


def messages(way, stream):
    client = Anthropic(api_key="test", base_url=f"{url}/@{way}")
    said = [{"role": "user", "content": question}]
    tools = [{"name": "weather", "input_schema": parameters}]
    while True:
        asked = {"model": "claude-x", "max_tokens": 99, "system": "You are helpful", "messages": said, "tools": tools}
        if stream:
            with client.messages.stream(**asked) as events:
                for _ in events:
                    pass
                message = events.get_final_message()
        else:
            message = client.messages.create(**asked)
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in message.content)
        said.append({"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in message.content]})
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": weather(**call.input)} for call in calls]
        said.append({"role": "user", "content": results})


said = {
    f"{kind.__name__}{'-stream' if stream else ''}": kind(f"{kind.__name__}-{stream}", stream)
    for kind in (chat, responses, messages)
    for stream in (False, True)
}
try:
    chat("drift", False, temp=71)
except BadRequestError as error:
    said["drift"] = {"status": error.status_code, "code": error.code, "param": error.param, "message": error.message}
print(json.dumps(said))
