// The functions that write, change and compare documents.
import { builder } from './builder.js'
import { caller, initAuthoring, initAuthoringSync } from './door.js'

export { initAuthoring, initAuthoringSync }

const unstarted = () => {
  throw new Error('authoring.wasm is not started: call initAuthoring() or initAuthoringSync() with it first')
}

/** All functions. `start` starts the module at the first call; without it that is the caller's task. */
export const operations = (start = unstarted) => {
  const call = caller(start)
  return {
    compact: (source, options) => call('compact', options, { force: 'true or false' }, [source]),
    format: (source, options) => call('format', options, {}, [source]),
    fix: (source, options) => call('fix', options, {}, [source]),
    edit: (source, change, options) =>
      call('edit', { ...options, change }, { change: 'an object or a list' }, [source]),
    complete: (source, offset, options) => call('complete', { ...options, offset }, { offset: 'a whole number' }, [source]),
    hover: (source, offset, options) => call('hover', { ...options, offset }, { offset: 'a whole number' }, [source]),
    diff: (left, right, options) => call('diff', options, { ignore: 'a list of texts' }, [left, right]),
    coverage: (source, options) => call('coverage', options, { consumed: 'a list of texts' }, [source]),
    redact: (source, options) =>
      call('redact', options, { kinds: 'a list of texts', also: 'a list of texts', keys: 'a list of texts' }, [source]),
    ...builder(call),
  }
}
