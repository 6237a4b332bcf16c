//! Earlier versions, other hosts, models that write, embedding and being offline.

texts! {
    door_describe: "Describe it", "Beschreiben";
    door_describe_hint:
        "A language model writes the run, by any chat or your own key",
        "Ein Sprachmodell schreibt den Lauf, über einen beliebigen Chat oder den eigenen Schlüssel";
    outdated: "A new version of the workbench is here.", "Eine neue Version der Workbench ist da.";
    outdated_reload: "Reload", "Neu laden";
    open_whole: "Open in Transcript Workbench", "In Transcript Workbench öffnen";
    read_only_here: "it is read-only here", "es ist hier schreibgeschützt";
    generate: "Describe a run", "Einen Lauf beschreiben";
    generate_description: "What happens in the run", "Was im Lauf geschieht";
    generate_description_hint:
        "The user asks for the weather in Rome. The agent looks it up and answers in one sentence.",
        "Jemand fragt nach dem Wetter in Rom. Der Agent schlägt es nach und antwortet in einem Satz.";
    generate_tools:
        "Tools of the agent: names, one a line, or JSON",
        "Tools des Agenten: Namen, einer je Zeile, oder JSON";
    generate_edge_cases: "What goes wrong, one a line", "Was schiefgeht, eines je Zeile";
    generate_tone: "Tone", "Ton";
    generate_turns: "About how many turns", "Ungefähr wie viele Runden";
    generate_how: "Who writes it", "Wer ihn schreibt";
    generate_by_hand: "Any chat: copy and paste", "Beliebiger Chat: kopieren und einfügen";
    generate_own: "An endpoint of your own", "Ein eigener Endpunkt";
    generate_copy: "Copy the prompt", "Prompt kopieren";
    generate_prompt: "The prompt", "Der Prompt";
    generate_reply: "Reply of the model", "Antwort des Modells";
    generate_reply_hint:
        "Paste the whole reply; the transcript in it is found",
        "Die ganze Antwort einfügen; das Transkript darin wird gefunden";
    generate_check: "Check the reply", "Antwort prüfen";
    generate_kind: "Kind of endpoint", "Art des Endpunkts";
    generate_address: "Address", "Adresse";
    generate_model: "Model", "Modell";
    generate_key: "Key", "Schlüssel";
    generate_key_hint:
        "Held in the memory of this page alone: it is kept nowhere, and gone when the page is closed.",
        "Nur im Speicher dieser Seite: Er wird nirgends aufbewahrt und ist weg, wenn die Seite geschlossen wird.";
    generate_agree:
        "Send the description and the key to {host}",
        "Beschreibung und Schlüssel an {host} senden";
    generate_no_host: "the endpoint", "den Endpunkt";
    generate_ask: "Ask the model", "Modell fragen";
    generate_writing: "Reply {round}: {n} characters so far…", "Antwort {round}: bisher {n} Zeichen…";
    generate_waiting:
        "{host} answered {status}, and is asked again in {n} s…",
        "{host} antwortete mit {status} und wird in {n} s erneut gefragt…";
    generate_checking: "Reply {round}: checking…", "Antwort {round}: wird geprüft…";
    generate_no_answer: "Nothing came of it: {reason}", "Daraus wurde nichts: {reason}";
    generate_not: "It cannot be asked for: {reason}.", "So kann nicht gefragt werden: {reason}.";
    generate_tools_bad: "the tools are no JSON: {reason}", "die Tools sind kein JSON: {reason}";
    generate_turns_bad: "the number of turns is no whole number", "die Zahl der Runden ist keine ganze Zahl";
    generate_problems:
        "The transcript in the reply has problems:",
        "Das Transkript in der Antwort hat Probleme:";
    generate_problem: "line {line}: {message}", "Zeile {line}: {message}";
    generate_more: "and {n} more", "und {n} weitere";
    generate_repair: "Copy the repair prompt", "Reparatur-Prompt kopieren";
    generate_repair_hint:
        "Paste it into the same chat, and its reply above.",
        "In denselben Chat einfügen, und dessen Antwort oben.";
    generate_anyway: "Open it all the same", "Trotzdem öffnen";
    generate_name: "described", "beschrieben";
    web_open: "Open a web address", "Webadresse öffnen";
    web_open_hint:
        "of a transcript or a log; its host is asked only after you agreed",
        "eines Transkripts oder Protokolls; der Host wird erst nach Zustimmung gefragt";
    web_address: "Address of the document", "Adresse des Dokuments";
    web_address_hint = "https://example.com/run.yaml";
    web_hint:
        "Your browser fetches it straight from its host, which must allow pages to read it (CORS), as GitHub's raw files do.",
        "Der Browser holt es direkt vom Host, der Seiten das Lesen erlauben muss (CORS), wie es GitHubs Raw-Dateien tun.";
    web_go: "Open", "Öffnen";
    web_ask: "Fetch from {host}?", "Von {host} holen?";
    web_ask_why:
        "This document lies at {host}. Your browser would ask that host for it, without cookies and without saying from where. It sees your network address, as with any page you visit; nothing of your documents is sent. Until you close this tab, {host} is asked without another question.",
        "Dieses Dokument liegt bei {host}. Der Browser würde den Host danach fragen, ohne Cookies und ohne zu sagen, von wo. Der Host sieht die Netzwerkadresse, wie bei jeder besuchten Seite; von den Dokumenten hier wird nichts gesendet. Bis dieser Tab geschlossen wird, wird {host} ohne weitere Rückfrage gefragt.";
    web_agree: "Fetch from {host}", "Von {host} holen";
    web_asking: "Asking {host}…", "{host} wird gefragt…";
    web_coming: "{bytes} bytes have come from {host}…", "{bytes} Bytes sind von {host} gekommen…";
    web_coming_of:
        "{bytes} of {total} bytes have come from {host}…",
        "{bytes} von {total} Bytes sind von {host} gekommen…";
    stop: "Stop", "Anhalten";
    web_stopped: "You stopped it: nothing was opened.", "Angehalten: Nichts wurde geöffnet.";
    web_not_asked: "Nothing was asked of {host}.", "{host} wurde nichts gefragt.";
    web_no_address:
        "This is no address that can be fetched: {address}. One begins with https://, and has no password in it.",
        "Das ist keine Adresse, die geholt werden kann: {address}. Sie beginnt mit https:// und enthält kein Passwort.";
    web_status:
        "{host} answered {detail}: there is nothing to open at this address, or not without signing in.",
        "{host} antwortete mit {detail}: An dieser Adresse gibt es nichts zu öffnen, oder nicht ohne Anmeldung.";
    web_large:
        "{host} sends more than {limit} bytes, which is more than is opened here.",
        "{host} sendet mehr als {limit} Bytes, mehr als hier geöffnet wird.";
    web_late:
        "Nothing has come from {host} for half a minute.",
        "Seit einer halben Minute ist nichts von {host} gekommen.";
    web_redirect:
        "{host} sends on to another host, to which you have not agreed. Open the address there instead.",
        "{host} leitet an einen anderen Host weiter, dem nicht zugestimmt wurde. Stattdessen die dortige Adresse öffnen.";
    web_unreachable:
        "{host} gave no answer that a page may read: it cannot be reached, or does not allow other pages to read this (CORS).",
        "{host} gab keine Antwort, die eine Seite lesen darf: Der Host ist nicht erreichbar oder erlaubt anderen Seiten das Lesen nicht (CORS).";
    web_missing:
        "The part of the workbench that asks other hosts could not be loaded.",
        "Der Teil der Workbench, der andere Hosts fragt, ließ sich nicht laden.";
    web_model = "{detail}";
    web_refused: "{name} was not opened: {reason}", "{name} wurde nicht geöffnet: {reason}";
    web_by_hand:
        "You can fetch it yourself, and paste or drop the result here:",
        "Es lässt sich auch selbst holen; das Ergebnis hier einfügen oder ablegen:";
    web_line: "Command that fetches it", "Befehl, der es holt";
    web_paste: "Paste the result here", "Ergebnis hier einfügen";
    history: "History", "Verlauf";
    history_key: "History (Ctrl+Shift+H)", "Verlauf (Strg+Umschalt+H)";
    history_hint:
        "Earlier versions of this document, kept on this device: up to 30, 8 MiB in all. The newest changes are undone with Ctrl+Z.",
        "Frühere Fassungen dieses Dokuments, auf diesem Gerät gespeichert: bis zu 30, zusammen 8 MiB. Die neuesten Änderungen macht Strg+Z rückgängig.";
    history_none:
        "There is no earlier version yet. One is kept with the first change, about every minute while you type, and before much is taken away.",
        "Noch gibt es keine frühere Fassung. Eine wird bei der ersten Änderung gespeichert, beim Tippen etwa jede Minute, und bevor viel weggenommen wird.";
    history_failed:
        "The earlier versions cannot be read: {reason}.",
        "Die früheren Fassungen können nicht gelesen werden: {reason}.";
    history_list: "Earlier versions", "Frühere Fassungen";
    history_size_one: "{n} line, {bytes} bytes", "{n} Zeile, {bytes} Bytes";
    history_size_many: "{n} lines, {bytes} bytes", "{n} Zeilen, {bytes} Bytes";
    history_difference: "From this version to the text as it is now", "Von dieser Fassung zum jetzigen Text";
    history_same: "The text is the same now.", "Der Text ist jetzt derselbe.";
    history_restore: "Restore this version", "Diese Fassung wiederherstellen";
    history_compare: "Compare step by step", "Schritt für Schritt vergleichen";
    earlier_of: "earlier {name}", "früheres {name}";
    no_earlier:
        "This earlier version is no longer on this device.",
        "Diese frühere Fassung ist nicht mehr auf diesem Gerät.";
}
