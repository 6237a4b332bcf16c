"""Reads YAML texts with PyYAML and tells what data they were taken for.

The input is a JSON list of texts. The output is a JSON map from a reader's name to one answer per
text: {"data": TOKENS} or {"error": MESSAGE}. The tokens are flat, so that depth needs no limit, and
name every type, which JSON alone would blur: null, true and false as they are, ["string", S],
["int", DIGITS], ["float", DIGITS], "[" and "]" around items, "{" and "}" around keys and values in
turn, and ["other", TYPE] for what has no place in JSON.
"""

import json
import sys

import yaml


def tokens(data, out):
    if data is None or isinstance(data, bool):
        out.append(data)
    elif isinstance(data, str):
        # JSON would join two lone surrogates into the character that YAML left in halves.
        halves = any("\ud800" <= c <= "\udfff" for c in data)
        out.append(["other", "surrogates"] if halves else ["string", data])
    elif isinstance(data, int):
        out.append(["int", str(data)])
    elif isinstance(data, float):
        out.append(["float", repr(data)])
    elif isinstance(data, list):
        out.append("[")
        for item in data:
            tokens(item, out)
        out.append("]")
    elif isinstance(data, dict):
        out.append("{")
        for key, item in data.items():
            tokens(key, out)
            tokens(item, out)
        out.append("}")
    else:
        out.append(["other", type(data).__name__])
    return out


def answer(text, loader):
    try:
        return {"data": tokens(yaml.load(text, Loader=loader), [])}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


texts = json.load(sys.stdin.buffer)
loaders = {"PyYAML SafeLoader": yaml.SafeLoader, "PyYAML CSafeLoader": yaml.CSafeLoader}
answers = {name: [answer(text, loader) for text in texts] for name, loader in loaders.items()}
sys.stdout.buffer.write(json.dumps(answers).encode())
