// The recordings that these tests play; those that every framework plays are in ../support/agent-runs.mjs.

export const handoff = `
version: "1.0"
initial_state:
  message_store:
    - {id: m0, role: system, content: triage}
    - {id: m1, role: user, content: refund}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: m0}, {ref: m1}]
    llm_response: {content: null, tool_calls: [{id: h1, function: {name: transfer_to_Billing, arguments: '{}'}}]}
    message_created: {id: m2, role: assistant, content: "", tool_calls: [{id: h1, function: {name: transfer_to_Billing, arguments: {}}}]}
  - turn: 2
    type: tool_call
    tool_call: {id: h1, tool_name: transfer_to_Billing, parameters: {}, result: {assistant: Billing}, success: true}
    message_created: {id: m3, role: tool, tool_call_id: h1, tool_name: transfer_to_Billing, content: '{"assistant":"Billing"}'}
  - turn: 3
    type: llm_call
    messages_sent_to_llm: [{role: system, content: bill}, {ref: m1}, {ref: m2}, {ref: m3}]
    llm_response: {content: Refunded.}
    message_created: {id: m4, role: assistant, content: Refunded.}
`
