// Version 6 of the AI SDK, with models of interface v3, in every case of the table.
import { test } from 'node:test'
import * as ai from 'ai'
import { z } from 'zod'
import { matrixOf } from '../support/ai-sdk-before.mjs'
import { install, load } from '../support/tarball.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/ai-sdk')

matrixOf('ai 6', { test, ai, z, all, specificationVersion: 'v3', output: 'output' })
