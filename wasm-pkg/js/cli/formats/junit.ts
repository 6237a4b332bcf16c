// Tests as the XML of JUnit, which the servers of continuous integration read.

/** A test, and how it ended. */
export interface TestCase {
  name: string
  status: 'passed' | 'failed' | 'error'
  line?: number
  message?: string
  details?: string
}

/** The tests of a file. */
export interface TestFile {
  file: string
  cases: readonly TestCase[]
}

/** Characters that no XML may hold, escaped or not. */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

const escapeText = (value: unknown) =>
  String(value)
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>]/g, (one) => ENTITIES[one]!)

const attributes = (all: { [name: string]: unknown }) =>
  Object.entries(all)
    .map(
      ([name, value]) =>
        ` ${name}="${String(value)
          .replace(NOT_XML, '\ufffd')
          .replace(/[&<>"\n\r\t]/g, (one) => ENTITIES[one]!)}"`,
    )
    .join('')

const testcase = (file: string, { name, line, status, message, details }: TestCase) => {
  const head = `<testcase${attributes({ classname: file, name, file, ...(line && { line }) })}`
  if (status === 'passed') return `    ${head}/>\n`
  const kind = status === 'failed' ? 'failure' : 'error'
  return `    ${head}>\n      <${kind}${attributes({ message, type: kind })}>${escapeText(details ?? message)}</${kind}>\n    </testcase>\n`
}

const countOf = (cases: readonly TestCase[], wanted: TestCase['status']) => cases.filter(({ status }) => status === wanted).length

const counts = (cases: readonly TestCase[]) => ({
  tests: cases.length,
  failures: countOf(cases, 'failed'),
  errors: countOf(cases, 'error'),
})

/** One suite for each of `files`, which have their `cases`. */
export const junit = (files: readonly TestFile[]) => {
  const suites = files.map(
    ({ file, cases }) =>
      `  <testsuite${attributes({ name: file, ...counts(cases) })}>\n${cases.map((one) => testcase(file, one)).join('')}  </testsuite>\n`,
  )
  const all = attributes({ name: 'transcript', ...counts(files.flatMap(({ cases }) => cases)) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${suites.join('')}</testsuites>\n`
}
