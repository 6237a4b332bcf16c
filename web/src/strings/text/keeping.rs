//! Earlier versions, other hosts, models that write, embedding and being offline.

texts! {
    door_describe: "Describe it";
    door_describe_hint: "A model writes the run, in any chat or with your own key";
    outdated: "A new version of the workbench is available.";
    outdated_reload: "Reload";
    open_whole: "Open in Transcript Workbench";
    read_only_here: "read-only here";
    generate: "Describe a run";
    generate_description: "What happens in the run";
    generate_description_hint:
        "The user asks for the weather in Rome. The agent looks it up and answers in one sentence.";
    generate_tools: "Tools of the agent: one name per line, or JSON";
    generate_edge_cases: "What goes wrong, one per line";
    generate_tone: "Tone";
    generate_turns: "Number of turns, about";
    generate_how: "Who writes it";
    generate_by_hand: "Any chat: copy and paste";
    generate_own: "Your own endpoint";
    generate_copy: "Copy the prompt";
    generate_prompt: "The prompt";
    generate_response: "Model response";
    generate_response_hint: "Paste the whole response";
    generate_check: "Check the response";
    generate_kind: "Endpoint type";
    generate_address: "Address";
    generate_model: "Model";
    generate_key: "Key";
    generate_key_hint:
        "Kept only in the memory of this page until you close it.";
    generate_agree: "Send the description and the key to {host}";
    generate_no_host: "the endpoint";
    generate_ask: "Ask the model";
    generate_writing: "Response {round}: {n} characters so far…";
    generate_waiting: "{host} returned {status}, retrying in {n} s…";
    generate_checking: "Response {round}: checking…";
    generate_no_answer: "Failed: {reason}";
    generate_not: "The request cannot be sent: {reason}.";
    generate_tools_bad: "the tools are not JSON: {reason}";
    generate_turns_bad: "the number of turns must be an integer";
    generate_problem: "line {line}: {message}";
    generate_more: "and {n} more";
    generate_repair: "Copy the repair prompt";
    generate_repair_hint: "Paste it into the same chat, and the response above.";
    generate_anyway: "Open it anyway";
    generate_name: "described";
    web_open: "Open a web address";
    web_open_hint: "of a transcript or a log; nothing is fetched until you agree";
    web_address: "Address of the document";
    web_address_hint: "https://example.com/run.yaml";
    web_hint:
        "Your browser fetches it directly from the host, which must allow this (CORS), like GitHub's raw files.";
    web_go: "Open";
    web_ask: "Fetch from {host}?";
    web_ask_why:
        "This document is at {host}. Your browser fetches it without cookies or a referrer. The host sees your IP address, but nothing of your documents. You will not be asked again for {host} until you close this tab.";
    web_agree: "Fetch from {host}";
    web_asking: "Connecting to {host}…";
    web_coming: "{bytes} bytes received from {host}…";
    web_coming_of: "{bytes} of {total} bytes received from {host}…";
    stop: "Stop";
    web_stopped: "Stopped: nothing was opened.";
    web_not_agreed: "Nothing was requested from {host}.";
    web_no_address:
        "This address cannot be fetched: {address}. Use https:// without a password.";
    web_status:
        "{host} returned {detail}: the document does not exist, or needs a login.";
    web_large: "{host} sends more than the limit of {limit} bytes.";
    web_late: "{host} sent nothing for 30 seconds.";
    web_redirect:
        "{host} redirects to another host. Open that address instead.";
    web_unreachable:
        "{host} cannot be reached, or does not allow other pages to read this (CORS).";
    web_missing: "The part of the workbench that fetches documents could not be loaded.";
    web_model: "{detail}";
    web_refused: "{name} was not opened: {reason}";
    web_by_hand: "You can fetch it yourself, and paste or drop the result here:";
    web_line: "Command to fetch it";
    web_paste: "Paste the result here";
    history: "History";
    history_key: "History (Ctrl+Shift+H)";
    history_hint:
        "Earlier versions of this document on this device: up to 30, 8 MiB in total. Undo the latest changes with Ctrl+Z.";
    history_none:
        "No earlier versions yet. One is saved with the first change, about every minute while you type, and before large deletions.";
    history_failed: "The earlier versions cannot be read: {reason}.";
    history_list: "Earlier versions";
    history_size_one: "{n} line, {bytes} bytes";
    history_size_many: "{n} lines, {bytes} bytes";
    history_difference: "From this version to the current text";
    history_same: "Same as the current text.";
    history_restore: "Restore this version";
    history_compare: "Compare step by step";
    earlier_of: "earlier {name}";
    no_earlier: "This earlier version is no longer on this device.";
}
