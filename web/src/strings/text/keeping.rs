//! Earlier versions, other hosts, models that write, embedding and being offline.

texts! {
    door_describe: "Describe it";
    door_describe_hint: "A language model writes the run, by any chat or your own key";
    outdated: "A new version of the workbench is here.";
    outdated_reload: "Reload";
    open_whole: "Open in Transcript Workbench";
    read_only_here: "it is read-only here";
    generate: "Describe a run";
    generate_description: "What happens in the run";
    generate_description_hint:
        "The user asks for the weather in Rome. The agent looks it up and answers in one sentence.";
    generate_tools: "Tools of the agent: names, one a line, or JSON";
    generate_edge_cases: "What goes wrong, one a line";
    generate_tone: "Tone";
    generate_turns: "About how many turns";
    generate_how: "Who writes it";
    generate_by_hand: "Any chat: copy and paste";
    generate_own: "An endpoint of your own";
    generate_copy: "Copy the prompt";
    generate_prompt: "The prompt";
    generate_reply: "Reply of the model";
    generate_reply_hint: "Paste the whole reply; the transcript in it is found";
    generate_check: "Check the reply";
    generate_kind: "Kind of endpoint";
    generate_address: "Address";
    generate_model: "Model";
    generate_key: "Key";
    generate_key_hint:
        "Held in the memory of this page alone: it is kept nowhere, and gone when the page is closed.";
    generate_agree: "Send the description and the key to {host}";
    generate_no_host: "the endpoint";
    generate_ask: "Ask the model";
    generate_writing: "Reply {round}: {n} characters so far…";
    generate_waiting: "{host} answered {status}, and is asked again in {n} s…";
    generate_checking: "Reply {round}: checking…";
    generate_no_answer: "Nothing came of it: {reason}";
    generate_not: "It cannot be asked for: {reason}.";
    generate_tools_bad: "the tools are no JSON: {reason}";
    generate_turns_bad: "the number of turns is no whole number";
    generate_problems: "The transcript in the reply has problems:";
    generate_problem: "line {line}: {message}";
    generate_more: "and {n} more";
    generate_repair: "Copy the repair prompt";
    generate_repair_hint: "Paste it into the same chat, and its reply above.";
    generate_anyway: "Open it all the same";
    generate_name: "described";
    web_open: "Open a web address";
    web_open_hint: "of a transcript or a log; its host is asked only after you agreed";
    web_address: "Address of the document";
    web_address_hint: "https://example.com/run.yaml";
    web_hint:
        "Your browser fetches it straight from its host, which must allow pages to read it (CORS), as GitHub's raw files do.";
    web_go: "Open";
    web_ask: "Fetch from {host}?";
    web_ask_why:
        "This document lies at {host}. Your browser would ask that host for it, without cookies and without saying from where. It sees your network address, as with any page you visit; nothing of your documents is sent. Until you close this tab, {host} is asked without another question.";
    web_agree: "Fetch from {host}";
    web_asking: "Asking {host}…";
    web_coming: "{bytes} bytes have come from {host}…";
    web_coming_of: "{bytes} of {total} bytes have come from {host}…";
    stop: "Stop";
    web_stopped: "You stopped it: nothing was opened.";
    web_not_agreed: "Nothing was asked of {host}.";
    web_no_address:
        "This is no address that can be fetched: {address}. One begins with https://, and has no password in it.";
    web_status:
        "{host} answered {detail}: there is nothing to open at this address, or not without signing in.";
    web_large: "{host} sends more than {limit} bytes, which is more than is opened here.";
    web_late: "Nothing has come from {host} for half a minute.";
    web_redirect:
        "{host} sends on to another host, to which you have not agreed. Open the address there instead.";
    web_unreachable:
        "{host} gave no answer that a page may read: it cannot be reached, or does not allow other pages to read this (CORS).";
    web_missing: "The part of the workbench that asks other hosts could not be loaded.";
    web_model: "{detail}";
    web_refused: "{name} was not opened: {reason}";
    web_by_hand: "You can fetch it yourself, and paste or drop the result here:";
    web_line: "Command that fetches it";
    web_paste: "Paste the result here";
    history: "History";
    history_key: "History (Ctrl+Shift+H)";
    history_hint:
        "Earlier versions of this document, kept on this device: up to 30, 8 MiB in all. The newest changes are undone with Ctrl+Z.";
    history_none:
        "There is no earlier version yet. One is kept with the first change, about every minute while you type, and before much is taken away.";
    history_failed: "The earlier versions cannot be read: {reason}.";
    history_list: "Earlier versions";
    history_size_one: "{n} line, {bytes} bytes";
    history_size_many: "{n} lines, {bytes} bytes";
    history_difference: "From this version to the text as it is now";
    history_same: "The text is the same now.";
    history_restore: "Restore this version";
    history_compare: "Compare step by step";
    earlier_of: "earlier {name}";
    no_earlier: "This earlier version is no longer on this device.";
}
