// A model of the AI SDK, by its methods alone.
import { raceAbort } from '../../api/abort.ts'
import type { Fields } from '../../api/fields.ts'
import type { GenerateMessage } from '../../types/index.ts'
import { type CallModel, type ReadModelResponse, responseFinish } from './request.ts'

/** The parts of an answer, and of its stream, that are read. */
interface Answer {
  content: { type: string; text?: string }[]
  finishReason: unknown
  usage?: Usage
}

type Part =
  | { type: 'text-delta'; delta: string }
  | { type: 'finish'; finishReason: unknown; usage?: Usage }
  | { type: 'error'; error: unknown }

/** A count, which later versions have in a map. */
type Total = { total?: number } | undefined

interface Usage {
  inputTokens?: number | Total
  outputTokens?: number | Total
}

/** A model of the AI SDK, which has one of the two methods at least. */
interface AiSdkModel {
  doGenerate(request: object): Promise<Answer>
  doStream?(request: object): Promise<{ stream: ReadableStream<Part> }>
}

const finishOf = (reason: unknown) => responseFinish((reason as Fields)?.unified ?? reason)

/** Counts of version 2 are numbers, later ones have a total. */
const usageOf = ({ inputTokens, outputTokens }: Usage = {}) => ({
  inputTokens: (inputTokens as Total)?.total ?? inputTokens,
  outputTokens: (outputTokens as Total)?.total ?? outputTokens,
})

const part = ({ role, content }: GenerateMessage) => ({ role, content: role === 'system' ? content : [{ type: 'text', text: content }] })

export const isAiSdkModel = (value: unknown): value is AiSdkModel =>
  typeof (value as Fields)?.doGenerate === 'function' || typeof (value as Fields)?.doStream === 'function'

export const aiSdk =
  (model: AiSdkModel): CallModel =>
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
    const answer: ReadModelResponse = { text: '', finish: '', usage: undefined }
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
