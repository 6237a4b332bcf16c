// The fixtures of tests/suite; the README there says their format.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './tarball.mjs'

const HEADER = /^==== (.*?)\s*$/

/** Reads one fixture: the name of its file, its input, and what is expected of it by section. */
export const readFixture = (text) => {
  const fixture = { file: '', input: '', expected: {} }
  let section = ''
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const header = HEADER.exec(line.replace(/\n$/, ''))?.[1]
    if (header === undefined) {
      if (section === 'input') fixture.input += line
      else fixture.expected[section] += line
    } else if (header === 'end') {
      // The body's last line end does not belong to it.
      fixture.input = fixture.input.replace(/\n+$/, '')
    } else if (header.startsWith('input ')) {
      section = 'input'
      fixture.file = header.slice('input '.length)
    } else {
      section = header
      fixture.expected[section] = ''
    }
  }
  if (fixture.file === '') throw new Error('a fixture begins with `==== input FILE`')
  return fixture
}

/** All fixtures, by their paths below tests/suite. */
export const fixtures = () => {
  const folder = join(repository, 'tests', 'suite')
  const names = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.txt'))
    .sort()
  return names.map((name) => {
    const fixture = readFixture(readFileSync(join(folder, name), 'utf8'))
    // The package has no way yet to check assertions.
    delete fixture.expected.check
    delete fixture.expected.run
    return { name, ...fixture }
  })
}

/**
 * What the package makes of a fixture, section by section. It is run in Node and, from its source text, in a
 * page, so that it may use nothing from around it.
 */
export const outcome = ({ compact, format, parse }, { file, input, expected }) => {
  const source = { text: input, file }
  const document = parse(source)
  const actual = { diagnostics: document.render() }
  if ('expand' in expected) actual.expand = document.expand('yaml') ?? ''
  document.free()
  if ('format' in expected) {
    const { ok, text } = format(source)
    actual.format = ok ? text : ''
  }
  if ('compact' in expected) {
    const { text, losses, summary, notices } = compact(source, { force: true })
    const lost = losses.map(({ line, column, kind, path, message }) => `# ${line}:${column}: ${kind} ${path}: ${message}\n`)
    const short = losses.length > summary.length ? summary : []
    const report = [...short, ...notices].map((line) => `# in short: ${line}\n`)
    actual.compact = [...lost, ...report, text ?? ''].join('')
  }
  return actual
}
