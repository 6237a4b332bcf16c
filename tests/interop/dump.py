"""Reads a JSON list of JSON texts, and writes the list of what `json.dumps` makes of their data."""

import json
import sys

texts = json.load(sys.stdin.buffer)
dumped = [json.dumps(json.loads(text), ensure_ascii=False) for text in texts]
sys.stdout.buffer.write(json.dumps(dumped).encode())
