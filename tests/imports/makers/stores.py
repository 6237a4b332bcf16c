"""Writes SQLite databases into ../stores: `langgraph.sqlite` with LangGraph's own SqliteSaver, and `cursor.vscdb` with the tables,
keys and fields of Cursor's `state.vscdb`, which no library owns. Pages are small, so that rows continue on other pages."""

import json
import os
import sqlite3
import uuid
from pathlib import Path
from typing import Annotated

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph, add_messages
from langgraph.prebuilt import ToolNode

FOLDER = Path(__file__).parent.parent / "stores"


def opened(name):
    path = FOLDER / name
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("PRAGMA page_size=512")
    return connection


def closed(connection):
    connection.commit()
    connection.execute("VACUUM")
    connection.close()


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise ValueError("no such city")
    return f"Sunny in {city}."


class State(MessagesState):
    run: uuid.UUID


def agent(state):
    last = state["messages"][-1]
    if last.type == "tool":
        usage = {"input_tokens": 30, "output_tokens": 4, "total_tokens": 34, "input_token_details": {"cache_read": 10}}
        return {"messages": [AIMessage(last.content, usage_metadata=usage, response_metadata={"model_name": "model-1", "finish_reason": "stop"})]}
    thought = {"type": "thinking", "thinking": "I need the tool.", "signature": "c2ln"}
    call = {"name": "weather", "args": {"city": last.content}, "id": f"call_{last.content}"}
    usage = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
    answer = AIMessage([thought], tool_calls=[call], usage_metadata=usage, response_metadata={"model_name": "model-1", "finish_reason": "tool_calls"})
    return {"messages": [answer], "run": uuid.uuid4()}


def langgraph():
    graph = StateGraph(State)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([weather], handle_tool_errors=True))
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    graph.add_edge("tools", "agent")
    connection = opened("langgraph.sqlite")
    app = graph.compile(checkpointer=SqliteSaver(connection))
    app.invoke({"messages": [SystemMessage("Be brief."), HumanMessage("Paris")]}, {"configurable": {"thread_id": "thread-1"}})
    app.invoke({"messages": [HumanMessage("Atlantis")]}, {"configurable": {"thread_id": "thread-2"}})
    # Those of the first checkpoints are in the next ones.
    connection.execute("DELETE FROM writes WHERE rowid % 4 != 0")
    closed(connection)


class Chats(MessagesState):
    chat: Annotated[list[AnyMessage], add_messages]


def langgraph_edited():
    """A person corrects the draft of an answer, which replaces it, and a message is removed; another thread has its messages in a
    channel of another name; in the last two, the last checkpoint or all of them are pickled."""
    graph = StateGraph(Chats)
    graph.add_node("draft", lambda state: {"messages": [AIMessage("A draft.", id="a1"), AIMessage("A slip.", id="a2")]})
    graph.add_node("edit", lambda state: {"messages": [AIMessage("The answer.", id="a1"), RemoveMessage("a2")]})
    graph.add_node("other", lambda state: {"messages": [], "chat": [AIMessage("In the chat.", id="c2")]})
    graph.add_conditional_edges(START, lambda state: "draft" if state["messages"] else "other")
    graph.add_edge("draft", "edit")
    connection = opened("langgraph-edited.sqlite")
    app = graph.compile(checkpointer=SqliteSaver(connection))
    for thread, state in [
        ("edited", {"messages": [HumanMessage("Ask", id="u1")]}),
        ("chat", {"messages": [], "chat": [HumanMessage("Hello", id="c1")]}),
        ("last", {"messages": [HumanMessage("Ask again", id="u1")]}),
        ("none", {"messages": [HumanMessage("Never", id="u1")]}),
    ]:
        app.invoke(state, {"configurable": {"thread_id": thread}})
    last = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = 'last'"
    connection.execute(f"UPDATE checkpoints SET type = 'pickle' WHERE thread_id = 'none' OR checkpoint_id = ({last})")
    connection.execute("DELETE FROM writes")
    closed(connection)


def cursor_old():
    """Chats of several releases: messages in the row of the chat, in rows of their own, or both; the same chat in two tables."""
    connection = opened("cursor-old.vscdb")
    connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    connection.execute(
        """CREATE TABLE cursorDiskKV ( -- a key, a value
            rank DECIMAL(10, 2) DEFAULT (1), /* (, */ [key] TEXT UNIQUE, "value" BLOB)"""
    )

    def put(key, value):
        connection.execute("INSERT INTO cursorDiskKV (key, value) VALUES (?, ?)", (key, json.dumps(value)))

    def bubble(bubble_id, kind, text):
        return {"bubbleId": bubble_id, "type": kind, "text": text}

    def rows(composer_id, bubbles):
        for second, one in enumerate(bubbles):
            put(f"bubbleId:{composer_id}:{one['bubbleId']}", {**one, "createdAt": f"2025-10-09T08:53:{second:02}.000Z"})

    first = [bubble("m1", 1, "First?"), bubble("m2", 2, "First.")]
    later = [bubble("m2", 2, "First, as of later."), bubble("m3", 1, "Second?"), bubble("m4", 2, "Second.")]
    headers = [{"bubbleId": one, "type": 2} for one in ["m2", "m3", "m4"]]
    put("composerData:both", {"composerId": "both", "conversation": first, "fullConversationHeadersOnly": headers})
    rows("both", reversed(later))
    put("composerData:unnamed", {"composerId": "unnamed", "conversation": [bubble("n1", 1, "Before?")]})
    rows("unnamed", [bubble("n2", 2, "Between."), bubble("n3", 1, "After?")])
    old = {"composerId": "twice", "name": "Twice", "conversation": [bubble("t1", 1, "Once?"), bubble("t2", 2, "Once.")]}
    connection.execute("INSERT INTO ItemTable VALUES (?, ?)", ("composer.composerData", json.dumps({"allComposers": [old]})))
    put("composerData:twice", {**old, "conversation": [*old["conversation"], bubble("t3", 1, "And more?")]})
    closed(connection)


def without_rowid():
    connection = opened("without-rowid.vscdb")
    connection.execute("CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
    connection.execute("INSERT INTO cursorDiskKV VALUES ('composerData:a', '{}')")
    closed(connection)


def cursor():
    connection = opened("cursor.vscdb")
    for table in ["ItemTable", "cursorDiskKV"]:
        connection.execute(f"CREATE TABLE {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")

    def put(table, key, value):
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, text.encode() if table == "ItemTable" else text))

    put("ItemTable", "cursorAuth/accessToken", "not-a-token")
    old = [{"type": "user", "text": "An old question?"}, {"type": "ai", "text": "An old answer.", "modelType": "model-0"}]
    tabs = [{"tabId": "old-1", "chatTitle": "Old chat", "bubbles": old}]
    put("ItemTable", "workbench.panel.aichat.view.aichat.chatdata", {"tabs": tabs})

    def composer(composer_id, bubbles, **more):
        headers = [{"bubbleId": bubble["bubbleId"], "type": bubble["type"]} for bubble in bubbles]
        data = {"_v": 10, "composerId": composer_id, "richText": "", "fullConversationHeadersOnly": headers, "conversationMap": {}}
        put("cursorDiskKV", f"composerData:{composer_id}", {**data, "createdAt": 1760000000000, **more})
        # Not in the order of the conversation.
        for bubble in reversed(bubbles):
            put("cursorDiskKV", f"bubbleId:{composer_id}:{bubble['bubbleId']}", {"_v": 3, "attachedCodeChunks": [], **bubble})

    def tool(name, arguments, **more):
        call = {"tool": 5, "toolCallId": f"call_{name}", "name": name, "rawArgs": json.dumps(arguments)}
        return {"capabilityType": 15, "text": "", "toolFormerData": {**call, **more}}

    def at(second):
        return f"2025-10-09T08:53:{second:02}.000Z"

    read = tool("read_file", {"path": "a.md"}, status="completed", result=json.dumps({"contents": "A long text. " * 60}))
    failed = tool("run_terminal_cmd", {"command": "make"}, status="error", error="make: not found")
    tokens = {"inputTokens": 1200, "outputTokens": 40}
    bubbles = [
        {"bubbleId": "b1", "type": 1, "text": "Read a.md and build it.", "createdAt": at(20)},
        {"bubbleId": "b2", "type": 2, "text": "", "thinking": {"text": "First the file.", "signature": "c2ln"}, "capabilityType": 30, "createdAt": at(21)},
        {"bubbleId": "b3", "type": 2, "createdAt": at(22), **read},
        {"bubbleId": "b4", "type": 2, "createdAt": at(23), **failed},
        {"bubbleId": "b5", "type": 2, "text": "There is no make.", "tokenCount": tokens, "modelInfo": {"modelName": "model-1"}, "createdAt": at(24)},
    ]
    composer("c1", bubbles, name="Build", status="completed", blobEncryptionKey="secret")
    composer("c2", [{"bubbleId": "d1", "type": 1, "text": "Hello?", "createdAt": at(30)}])
    composer("empty", [])
    put("cursorDiskKV", "checkpointId:c1:x", {"files": []})
    closed(connection)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    langgraph()
    langgraph_edited()
    cursor()
    cursor_old()
    without_rowid()
    for name in sorted(os.listdir(FOLDER)):
        print(name, (FOLDER / name).stat().st_size)
