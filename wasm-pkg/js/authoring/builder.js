// Transcripts written by a program. The calls are recorded as they come, and the core makes the transcript of them.

/** The methods, each of which takes one argument that the core knows by the method's name. */
const ONE = [
  'withMetadata', 'withConfig', 'withContext', 'withSystemMessage', 'withDeveloperMessage', 'withUserMessage',
  'withMessage', 'thenUserSays', 'thenMessage', 'thenLlmFails', 'thenToolExecutes', 'thenToolFails', 'thenNestedRun',
  'thenContext', 'thenContextRemoved', 'thenHides', 'thenShows',
]

let write

/** Lets `save` write files; the entry for Node calls it. */
export const useWriting = (writeFile) => {
  write = writeFile
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An error that names every step at fault. */
const unbuildable = (name, problems) => {
  const lines = problems.map(({ step, method, message, help }) => {
    const place = step > 0 ? `step ${step}, ${method}()` : `${method}()`
    return `  ${place}: ${message}${help ? `; ${help}` : ''}`
  })
  const error = new TypeError(`the transcript \`${name}\` cannot be built:\n${lines.join('\n')}`)
  return Object.assign(error, { problems })
}

/** The builder and its short names. */
export const builder = (call) => {
  class TranscriptBuilder {
    #name
    #created
    #steps = []

    constructor(name, { created } = {}) {
      if (typeof name !== 'string') throw new TypeError('a transcript is built with a name, which is a text')
      this.#name = name
      this.#created = created instanceof Date ? created.toISOString() : created
    }

    #add(method, argument) {
      this.#steps.push({ [method]: argument ?? null })
      return this
    }

    static {
      for (const method of ONE) {
        Object.defineProperty(this.prototype, method, {
          value(argument) {
            return this.#add(method, argument)
          },
          configurable: true,
          writable: true,
        })
      }
    }

    withTools(...tools) {
      return this.#add('withTools', tools.flat())
    }

    /** Takes the content with more beside it, or all of it in one object. */
    thenLlmResponds(content, more) {
      return this.#add('thenLlmResponds', more === undefined ? content : { content, ...more })
    }

    /** Takes the type with the fields beside it, or all of it in one object. */
    withAssertion(type, fields) {
      return this.#add('withAssertion', isMap(type) ? type : { type, ...fields })
    }

    #built() {
      const options = { name: this.#name, steps: this.#steps }
      if (this.#created !== undefined) options.created = this.#created
      const kinds = { name: 'a text', steps: 'an object or a list', created: 'a text' }
      const answer = call('build', options, kinds, [])
      if (!answer.ok) throw unbuildable(this.#name, answer.problems)
      return answer
    }

    build() {
      return this.#built().transcript
    }

    toYaml() {
      return this.#built().text
    }

    async save(path) {
      if (write === undefined) throw new TypeError('save() writes files, which only Node can: use toYaml() here')
      const { text, transcript } = this.#built()
      await write(path, /\.json$/i.test(String(path)) ? `${JSON.stringify(transcript, null, 2)}\n` : text)
      return path
    }
  }

  const transcript = (name, options) => new TranscriptBuilder(name, options)
  return { TranscriptBuilder, T: transcript, transcript }
}
