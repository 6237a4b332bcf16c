// The programs of a framework in the README: each runs, and fails with a divergence when the agent gets another prompt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, runProgram, tryProgram } from './page.mjs'

/** The transcript that the examples play. */
export const weather = () => blocksOf('README', 'Five minutes', 'yaml')[0]

const QUESTIONS = ["What's the weather in NYC?", 'I want my money back']

/** Asks something else where a tape is played: there, or in what comes before if the question is there. */
const drifting = (common, run) => {
  const change = (text) => QUESTIONS.reduce((changed, question) => changed.replaceAll(question, 'Is it warm in Rome?'), text)
  return change(run) === run ? change(common) + run : common + change(run)
}

/**
 * Tests the programs in a section of the README. The paragraphs of one that play a tape are also run alone, behind the
 * others, with another question. `count` is how many tapes there are.
 */
export const testReadme = (section, { count, ...args }) => {
  const options = { ...args, files: { 'weather.yaml': weather() } }
  const programs = blocksOf('README', section, 'js')
  let runs = 0
  programs.forEach((code, at) => {
    const name = programs.length === 1 ? section : `${section}, ${at + 1}`
    test(`the README's example runs: ${name}`, () => runProgram(code, options))
    const paragraphs = code.split(/\n(?=\n)/)
    const isRun = (paragraph) => paragraph.includes('await replay(')
    const common = paragraphs.filter((paragraph) => !isRun(paragraph)).join('\n')
    for (const run of paragraphs.filter(isRun)) {
      runs += 1
      test(`the README's example fails when the question drifts: ${name}, ${/const (\w+)/.exec(run)[1]}`, () => {
        const code = drifting(`${common}\n`, run)
        assert.ok(code.includes('Rome'))
        const { status, stderr } = tryProgram(code, options)
        assert.equal(status, 1, stderr)
        assert.match(stderr, /\.yaml: step 1: the request differs from the recording/)
        assert.match(stderr, /at messages\[1\]\.content/)
        assert.match(stderr, /actual: +"Is it warm in Rome\?"/)
      })
    }
  })
  test(`every tape of the section is tried: ${section}`, () => assert.equal(runs, count))
}
