use serde_json::Value;
use transcript_core::order::OrderKind;
use transcript_core::view::EventLog;

use super::{event, id, moves, sample};

fn oracle(name: &str) -> Vec<String> {
    let orders: Value = serde_json::from_str(&sample("forest60.expected_order.json")).unwrap();
    orders[name]
        .as_array()
        .unwrap_or_else(|| panic!("{name} in {orders}"))
        .iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect()
}

/// The orders of the sample were made by another program.
#[test]
fn both_orders_of_a_forest_are_those_of_the_oracle_however_its_lines_are_shuffled() {
    let text = sample("forest60.jsonl");
    let log = EventLog::open(text.clone());
    assert!(log.is_ok(), "{:?}", log.diagnostics());
    for seed in 0..50 {
        let log = EventLog::open(log.shuffled(seed));
        assert!(seed == 0 || log.text() != text);
        assert_eq!(log.order(OrderKind::Kahn), oracle("kahn_min_heap"), "seed {seed}");
        assert_eq!(log.order(OrderKind::Layers), oracle("layered"), "seed {seed}");
    }
}

#[test]
fn an_event_comes_after_all_that_it_followed_from() {
    let also = format!(
        "\"type\": \"state_transition\", \"payload_hash\": \"0000000000000000\", \"from_state\": \"x\", \"to_state\": \"y\", \"also_after\": [\"{}\"]",
        id(9)
    );
    let text = moves(5, None) + &event(1, Some(5), &also) + &moves(9, Some(5)) + &moves(2, Some(1));
    let log = EventLog::open(text);
    assert!(log.is_ok(), "{:?}", log.diagnostics());
    assert_eq!(log.order(OrderKind::Kahn), [5, 9, 1, 2].map(id));
    assert_eq!(log.layers(), [vec![id(5)], vec![id(9)], vec![id(1)], vec![id(2)]]);
    assert_eq!(log.past(&id(2)).unwrap(), [1, 5, 9].map(id));
    assert_eq!(log.future(&id(5)).unwrap(), [1, 9, 2].map(id));
    assert_eq!(log.past(&id(7)), None);
}

#[test]
fn the_clock_has_no_say() {
    let late = moves(1, None).replace("\"timestamp_ns\": 1", "\"timestamp_ns\": 99");
    let log = EventLog::open(moves(2, None) + &late);
    assert_eq!(log.order(OrderKind::Kahn), [1, 2].map(id));
}

#[test]
fn every_tie_is_explained() {
    let log = EventLog::open(moves(3, None) + &moves(1, Some(3)) + &moves(2, None) + &moves(4, Some(3)));
    let why = |kind, place| log.explain(kind, place).map(|tie| (tie.ready, tie.reason));
    let ids = |numbers: &[u64]| numbers.iter().copied().map(id).collect::<Vec<_>>();
    assert_eq!(
        why(OrderKind::Kahn, 1).unwrap(),
        (ids(&[2, 3]), "it has no parent, and it has the smallest id of 2 ready events".into())
    );
    assert_eq!(
        why(OrderKind::Kahn, 3).unwrap(),
        (
            ids(&[1, 4]),
            format!("it was ready after `{}`, and it has the smallest id of 2 ready events", id(3))
        )
    );
    assert_eq!(
        why(OrderKind::Layers, 3).unwrap(),
        (
            ids(&[1, 4]),
            format!("it was ready after `{}`, and layer 2 has 2 events, sorted by their ids", id(3))
        )
    );
    assert_eq!(why(OrderKind::Kahn, 0), None);
    assert_eq!(why(OrderKind::Kahn, 5), None);
}

#[test]
fn the_rows_list_each_event_and_its_arrows() {
    let log = EventLog::open(sample("multi_agent.jsonl"));
    let rows = log.rows(OrderKind::Kahn, 0, 100);
    assert_eq!(rows.len(), log.overview().events);
    let first = &rows[0];
    assert_eq!(
        (first.kind.as_str(), first.agent.as_str(), first.summary.as_str()),
        ("state_transition", "orchestrator", "idle -> running")
    );
    let second = &rows[1];
    assert_eq!(
        (second.after.as_slice(), second.summary.as_str(), second.layer),
        (&[1][..], "to alice", Some(2))
    );
    assert_eq!(log.rows(OrderKind::Kahn, 1, 1), rows[1..2]);
    let agents: Vec<String> = log.overview().agents.into_iter().map(|agent| agent.name).collect();
    assert_eq!(agents, ["orchestrator", "alice", "bob"]);
}

#[test]
fn two_events_have_a_reason_for_their_order() {
    // 3 <- 1 <- 5, 4 <- 2, in the order 3 1 4 2 5.
    let log = EventLog::open(
        moves(3, None) + &moves(1, Some(3)) + &moves(5, Some(1)) + &moves(4, None) + &moves(2, Some(4)),
    );
    assert_eq!(log.order(OrderKind::Kahn), [3, 1, 4, 2, 5].map(id));
    let of = |kind, one, other| log.between(kind, &id(one), &id(other)).unwrap();
    let follows = of(OrderKind::Kahn, 5, 3);
    assert_eq!(
        (follows.first, &*follows.relation, follows.by),
        (id(3), "follows", [3, 1, 5].map(id).to_vec())
    );
    assert_eq!(follows.reason, "the second follows from the first through 1 event");
    let waits = of(OrderKind::Kahn, 2, 1);
    assert_eq!((waits.first, &*waits.relation, waits.by), (id(1), "waits", vec![id(4)]));
    let ties = of(OrderKind::Kahn, 4, 1);
    assert_eq!((ties.first, &*ties.relation), (id(1), "tie"), "4 has been ready from the beginning");
    assert_eq!(log.order(OrderKind::Layers), [3, 4, 1, 2, 5].map(id));
    assert_eq!(of(OrderKind::Layers, 2, 1).relation, "tie");
    assert_eq!(of(OrderKind::Layers, 5, 2).relation, "waits");
    assert_eq!(log.between(OrderKind::Kahn, &id(1), &id(1)), None);
    assert_eq!(log.between(OrderKind::Kahn, &id(1), &id(9)), None);
}
