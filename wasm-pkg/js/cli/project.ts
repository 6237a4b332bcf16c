// The settings of a project: `transcript.config.json`, or a module `transcript.config.js`, in the folder of a file or
// above it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Diagnostic, Project } from '../types/index.ts'
import { evaluateConfigModule } from './config-module.ts'
import { readProject } from './core.ts'
import { ConfigError, fileErrorText } from './failure.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

const NAMES = ['transcript.config.json', 'transcript.config.js', 'transcript.config.mjs']
const rulesByConfig = new Map<string, Project['rules']>()

const findConfig = (folder: string): string | undefined => {
  const [path, other] = NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path))
  if (other) throw new ConfigError(`there are settings in \`${path}\` and in \`${other}\``, 'keep one of them')
  if (path) return path
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}

const readConfigText = (path: string) => {
  if (!path.endsWith('.json')) return evaluateConfigModule(path)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`cannot read \`${path}\`: ${fileErrorText(error)}`)
  }
}

/** A problem of settings that are a module: places in it are not known, since only its value is read. */
const renderModuleProblem = ({ severity, code, message, help }: Diagnostic, path: string) =>
  `${severity}[${code}]: ${printable(message)}\n --> ${printable(path)}\n${help ? `  = help: ${printable(help)}\n` : ''}\n`

const readConfig = (path: string) => {
  const project = readProject(readConfigText(path), { file: path })
  if (path.endsWith('.json')) return project
  return { ...project, rendered: project.diagnostics.map((found) => renderModuleProblem(found, path)).join('') }
}

/** The levels of rules for a file; for the standard input, those of the current folder. Problems of the settings are printed once. */
export const projectRules = (name: string, terminal: Terminal): { rules?: Project['rules'] } => {
  const path = findConfig(name === '-' ? resolve('.') : dirname(resolve(name)))
  if (path === undefined) return {}
  if (!rulesByConfig.has(path)) {
    const project = readConfig(path)
    terminal.err(project.rendered)
    if (!project.ok) throw new ConfigError(`the settings in \`${path}\` cannot be used`)
    rulesByConfig.set(path, project.rules)
  }
  return { rules: rulesByConfig.get(path) }
}
