// What the live models say in the tests of recorders: mocks, each for one run.

export const live = (mock) => ({
  weather: () =>
    mock(
      mock.create({
        content: "I'll check.",
        tool_calls: [{ id: 't1', name: 'weather', arguments: { location: 'NYC' } }],
        usage: { prompt_tokens: 9, completion_tokens: 4 },
      }),
      "It's 72°F and sunny!",
    ),
  parallel: () =>
    mock(
      mock.create({
        tool_calls: [
          { id: 't1', name: 'weather', arguments: { location: 'Oslo' } },
          { id: 't2', name: 'weather', arguments: { location: 'Rome' } },
        ],
      }),
      'In Rome.',
    ),
  structured: () => mock('{"city": "Rome", "population": 2800000}'),
})
