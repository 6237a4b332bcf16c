// A recorded answer as the result of `doGenerate`.
import { type EndedAnswer, finishKindWithRefusal } from '../adapters/finish.ts'
import type { AiSdkContent, AiSdkFinish, AiSdkResult, AiSdkShapes, SpecificationVersion } from '../types/ai-sdk.ts'
import type { TapeResponse } from '../types/index.ts'
import { usageOf } from './usage.ts'

type Shapes = AiSdkShapes[SpecificationVersion]

type SdkReason = AiSdkFinish | 'unknown'

type FinishReason = Shapes['finishReason'] | SdkReason

/** The result of `doGenerate`, in the shape of any version. */
export type GenerateResult = Omit<AiSdkResult<SpecificationVersion>, keyof Shapes> & { finishReason: FinishReason; usage: Shapes['usage'] }

const contentParts = ({ reasoning, content: text, tool_calls: calls }: TapeResponse['response']): AiSdkContent[] => [
  ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
  ...(text ? [{ type: 'text' as const, text }] : []),
  // Out of the model the input is a JSON text, though the prompt has it as data.
  ...calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  })),
]

const REASONS = { calls: 'tool-calls', stop: 'stop', length: 'length', filter: 'content-filter' } as const

/** Finish reasons that only the SDK has. */
const SDK_REASONS: readonly unknown[] = ['error', 'other', 'unknown']

/** The finish reason of the SDK that follows from a recorded answer: with `tool-calls` it continues. */
export const finishReason = (response: EndedAnswer) => {
  const reason = REASONS[finishKindWithRefusal(response)]
  return reason === 'stop' && SDK_REASONS.includes(response.finish_reason) ? (response.finish_reason as SdkReason) : reason
}

const ALL_REASONS: readonly unknown[] = [...Object.values(REASONS), ...SDK_REASONS]

/** The recorded finish reason: the one that the SDK received, if it does not follow from the rest. */
const finishField = (response: TapeResponse['response'], version: SpecificationVersion): FinishReason => {
  const recorded = response.metadata?.finish_reason
  const reason = ALL_REASONS.includes(recorded) ? (recorded as SdkReason) : finishReason(response)
  if (version === 'v2') return reason
  // Only the oldest shape has this word.
  return { unified: reason === 'unknown' ? 'other' : reason, raw: response.finish_reason }
}

/** The result in the shape of `version`. It depends on the recording alone: no clock, no made-up ids. */
export const generateResult = ({ step, response }: TapeResponse, version: SpecificationVersion, modelId: string): GenerateResult => ({
  content: contentParts(response),
  finishReason: finishField(response, version),
  usage: usageOf(response.usage, version),
  warnings: [],
  response: { id: `step-${step}`, modelId, timestamp: new Date(0) },
  ...(response.refusal ? { providerMetadata: { transcript: { refusal: response.refusal } } } : {}),
})
