// A model of the AI SDK, by its methods alone.
import { raceAbort } from '../../api/abort.ts'

const FINISHES = { stop: 'stop', length: 'length', 'content-filter': 'refusal' }

const finishOf = (reason) => FINISHES[reason?.unified ?? reason] ?? ''

/** Counts of version 2 are numbers, later ones have a total. */
const usageOf = ({ inputTokens, outputTokens } = {}) => ({
  inputTokens: inputTokens?.total ?? inputTokens,
  outputTokens: outputTokens?.total ?? outputTokens,
})

const part = ({ role, content }) => ({ role, content: role === 'system' ? content : [{ type: 'text', text: content }] })

export const isAiSdkModel = (value) => typeof value?.doGenerate === 'function' || typeof value?.doStream === 'function'

export const aiSdk =
  (model) =>
  async ({ messages, schema, maxTokens, temperature, stream, signal, onText }) => {
    const request = {
      prompt: messages.map(part),
      responseFormat: schema ? { type: 'json', schema, name: 'transcript' } : { type: 'text' },
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(signal && { abortSignal: signal }),
    }
    if (typeof model.doStream !== 'function' || (!stream && typeof model.doGenerate === 'function')) {
      const { content, finishReason, usage } = await raceAbort(model.doGenerate(request), signal)
      const text = content
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('')
      return { text, finish: finishOf(finishReason), usage: usageOf(usage) }
    }
    const answer = { text: '', finish: '', usage: undefined }
    const reader = (await raceAbort(model.doStream(request), signal)).stream.getReader()
    try {
      for (;;) {
        const { done, value } = await raceAbort(reader.read(), signal)
        if (done) return answer
        if (value.type === 'text-delta') {
          answer.text += value.delta
          onText?.(answer.text)
        } else if (value.type === 'finish') Object.assign(answer, { finish: finishOf(value.finishReason), usage: usageOf(value.usage) })
        else if (value.type === 'error') throw value.error
      }
    } finally {
      reader.cancel().catch(() => {})
    }
  }
