// The recordings that these tests play; those of the clients, and two that they have no words for.
import { answering } from '../support/recordings.mjs'

export * from '../support/recordings.mjs'

export const refused = answering({ content: null, refusal: 'I must not.' })

export const reasoned = answering({ content: 'Four.', reasoning: 'two and two' })
