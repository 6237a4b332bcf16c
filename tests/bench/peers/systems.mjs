// The systems that are measured: what is imported of each, and how each answers the calls of one conversation.
//
// Ours compares all that is sent with all that was recorded. Of the others only aimock's matcher looks at the request, for
// the last question or the id of a call; the fake models answer whatever they are sent, so they are sent as little as there is.
import { readFileSync } from 'node:fs'
import { conversation, converse } from '../reading/generate.mjs'

const must = (condition, what) => {
  if (!condition) throw new Error(what)
}

/** Every answer of the conversation in its order: `{question, id, call, text}`, `call` for one that calls the tool. */
const answers = (turns) => {
  const found = []
  let calls = 0
  converse(turns, (messages) => {
    const last = messages.at(-1)
    const at = Math.floor(found.length / 2)
    if (last.role === 'tool') {
      found.push({ id: last.tool_call_id, text: `It's fine in ${at}.` })
      return { content: `It's fine in ${at}.`, tool_calls: [] }
    }
    calls += 1
    const call = { id: `call_${calls}`, name: 'weather', arguments: { city: `${at}` } }
    found.push({ question: last.content, call, text: "I'll check." })
    return { content: "I'll check.", tool_calls: [call] }
  })
  return found
}

const SENT = [
  { role: 'system', content: 'You are helpful' },
  { role: 'user', content: 'How is city 1?' },
]

/** By name: the `module` in this folder that imports what a test does, and where it is replayed `write(turns)` and `run(module, file, turns)`. */
export const SYSTEMS = {
  'transcript-workbench': {
    write: (turns) => conversation(turns),
    run: async ({ replay }, file, turns) => {
      const tape = await replay(file)
      converse(turns, (messages) => tape.request({ format: 'openai-chat', messages }).response)
      tape.assertComplete()
    },
  },
  "aimock's matcher": {
    module: 'aimock/index.mjs',
    write: (turns) =>
      JSON.stringify({
        fixtures: answers(turns).map(({ question, id, call, text }) => ({
          match: question === undefined ? { toolCallId: id } : { userMessage: question, hasToolResult: false },
          response:
            call === undefined ? { content: text } : { content: text, toolCalls: [{ ...call, arguments: JSON.stringify(call.arguments) }] },
        })),
      }),
    run: async ({ loadFixtureFile, matchFixture }, file, turns) => {
      const fixtures = loadFixtureFile(file)
      converse(turns, (messages) => {
        const found = matchFixture(fixtures, { model: 'gpt-4', messages })
        must(found !== null, `nothing matches ${JSON.stringify(messages.at(-1))}`)
        const { content, toolCalls = [] } = found.response
        return { content, tool_calls: toolCalls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) })) }
      })
    },
  },
  "AI SDK's mock": {
    module: 'ai-sdk/index.mjs',
    write: (turns) => JSON.stringify(answers(turns)),
    run: async ({ MockLanguageModelV4 }, file) => {
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const args = JSON.parse(readFileSync(file, 'utf8')).map(({ call, text }) => ({
        content: [
          { type: 'text', text },
          ...(call ? [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: JSON.stringify(call.arguments) }] : []),
        ],
        finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }))
      const model = new MockLanguageModelV4({ doGenerate: args })
      const prompt = SENT.map(({ role, content }) =>
        role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
      )
      for (const { content } of args) {
        const answer = await model.doGenerate({ prompt })
        must(answer.content === content, 'another answer')
      }
    },
  },
  "LangChain's fake model": {
    module: 'langchain/testing.mjs',
    write: (turns) => JSON.stringify(answers(turns)),
    run: async ({ FakeListChatModel }, file) => {
      const responses = JSON.parse(readFileSync(file, 'utf8')).map(({ text }) => text)
      const model = new FakeListChatModel({ responses })
      for (const text of responses) must((await model.invoke(SENT)).content === text, 'another answer')
    },
  },
  '@langchain/core': { module: 'langchain/index.mjs' },
  '@openai/agents': { module: 'openai-agents/index.mjs' },
}
