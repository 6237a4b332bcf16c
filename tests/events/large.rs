use transcript_core::events::{Findings, Log};
use transcript_core::order::{check, future, kahn, layers, past};
use transcript_core::verify::permutation;
use transcript_core::view::EventLog;

use super::{id, moves};

/// A log in which each event followed from the one before it, in an order of lines without sense.
fn chain(length: usize) -> String {
    let number = |place: u32| u64::from(place);
    permutation(length, 1)
        .into_iter()
        .map(|place| moves(number(place), place.checked_sub(1).map(number)))
        .collect()
}

#[test]
fn a_chain_of_twenty_thousand_events_is_read_ordered_and_replayed() {
    let log = EventLog::open(chain(20_000));
    assert!(log.is_ok());
    let mut replay = log.replay(Default::default(), &[]).unwrap();
    assert_eq!(replay.advance(), transcript_core::verify::ReplayRequest::Done);
    assert_eq!(replay.summary().events, 20_000);
    // Head, events and the one agent.
    assert_eq!(replay.trace().lines().count(), 20_002);
}

#[test]
fn searches_go_as_deep_as_a_log_is_long() {
    let log = Log::read(chain(100_000));
    let mut found = Findings::default();
    let (graph, order) = check(&log, &mut found);
    assert_eq!((order.len(), kahn(&graph).len(), layers(&graph).begins.len()), (100_000, 100_000, 100_000));
    assert_eq!(past(&graph, order[99_999]).len(), 99_999);
    assert_eq!(future(&graph, order[0]).len(), 99_999);
    assert!(found.diagnostics().is_empty());
}

#[test]
fn a_cycle_of_all_events_is_found_at_once() {
    let text = chain(100_000).replacen(
        "\"parent_event_id\": null",
        &format!("\"parent_event_id\": \"{}\"", id(99_999)),
        1,
    );
    let log = EventLog::open(text);
    let messages: Vec<String> = log.diagnostics().into_iter().map(|one| one.message).collect();
    assert_eq!(
        messages,
        [format!("the event `{}` depends on `{}`, in a cycle of 100000 events", id(0), id(99_999))]
    );
}

#[test]
fn a_hundred_thousand_faults_are_counted_and_not_reported_one_by_one() {
    let text = "{\"event_id\": 5}\n".repeat(100_000);
    let log = EventLog::open(text);
    let diagnostics = log.diagnostics();
    assert!(diagnostics.len() <= 200, "{}", diagnostics.len());
    // Six fields of each; one is present and wrong.
    assert_eq!(log.overview().errors, 600_000);
    assert!(diagnostics.iter().any(|one| one.message.ends_with("there are 599900 more like this")));
}

/// Many answers without a task would each search the whole log before them.
#[test]
fn searches_back_are_bounded() {
    let answer = "\"response_sent\", \"recipient_agent_id\": \"b\", \"payload_ref\": \"r\"";
    let text = chain(20_000).replace("\"state_transition\"", answer);
    let log = EventLog::open(text);
    assert!(log.is_ok());
    assert!(log.overview().warnings > 0);
}
