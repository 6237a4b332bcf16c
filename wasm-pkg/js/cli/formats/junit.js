// Tests as the XML of JUnit, which the servers of continuous integration read.

/** Characters that no XML may hold, escaped or not. */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;' }

const escapeText = (value) =>
  String(value)
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>]/g, (one) => ENTITIES[one])

const attributes = (all) =>
  Object.entries(all)
    .map(
      ([name, value]) =>
        ` ${name}="${String(value)
          .replace(NOT_XML, '\ufffd')
          .replace(/[&<>"\n\r\t]/g, (one) => ENTITIES[one])}"`,
    )
    .join('')

const testcase = (file, { name, line, status, message, details }) => {
  const head = `<testcase${attributes({ classname: file, name, file, ...(line && { line }) })}`
  if (status === 'passed') return `    ${head}/>\n`
  const kind = status === 'failed' ? 'failure' : 'error'
  return `    ${head}>\n      <${kind}${attributes({ message, type: kind })}>${escapeText(details ?? message)}</${kind}>\n    </testcase>\n`
}

const countOf = (cases, wanted) => cases.filter(({ status }) => status === wanted).length

const counts = (cases) => ({ tests: cases.length, failures: countOf(cases, 'failed'), errors: countOf(cases, 'error') })

/** One suite for each of `files`, which have their `cases`. */
export const junit = (files) => {
  const suites = files.map(
    ({ file, cases }) =>
      `  <testsuite${attributes({ name: file, ...counts(cases) })}>\n${cases.map((one) => testcase(file, one)).join('')}  </testsuite>\n`,
  )
  const all = attributes({ name: 'transcript', ...counts(files.flatMap(({ cases }) => cases)) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${suites.join('')}</testsuites>\n`
}
