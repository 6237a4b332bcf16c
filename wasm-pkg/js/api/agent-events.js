// The events between the agents of a recording, where the recorder was asked for them.
import { ask } from './core.js'

/** `{events: {log, recording}}`; nothing when there are none, so that a recording of one agent has no key for them. */
export const eventFields = (handle) => {
  const events = JSON.parse(ask(handle, 'events'))
  return events === null ? {} : { events }
}

/** Writes them beside the transcript: `run.yaml` has `run.events.json`, a recording with the events in it. */
export const saveEvents = async (files, path, events) => {
  if (events === undefined) return
  const name = (path instanceof URL ? decodeURIComponent(path.pathname) : path).split(/[\\/]/).pop()
  await files.write(files.beside(path, `${name.replace(/\.(ya?ml|json)(\.gz)?$/i, '')}.events.json`), events.recording)
}
