// The events between the agents of a recording, if the recorder was created with `events`.
import type { RecorderHandle } from '#core'
import type { Recording } from '../types/index.ts'
import { invoke } from './core.ts'
import type { RecordingFiles } from './saving.ts'

/** `{events: {log, recording}}`; nothing when there are none, so that a recording of one agent has no key for them. */
export const eventFields = (handle: RecorderHandle) => {
  const events: Recording['events'] | null = JSON.parse(invoke(handle, 'events'))
  return events === null ? {} : { events }
}

/** Writes the events next to the transcript: `run.yaml` gets `run.events.json`, a recording that contains the events. */
export const saveEvents = async (files: RecordingFiles, path: string | URL, events: Recording['events']) => {
  if (events === undefined) return
  const name = (path instanceof URL ? decodeURIComponent(path.pathname) : path).split(/[\\/]/).pop()!
  await files.write(files.siblingPath(path, `${name.replace(/\.(ya?ml|json)(\.gz)?$/i, '')}.events.json`), events.recording)
}
