import { browser, serve } from './site.js'
const site = await serve()
const chrome = await browser()
const page = await (await chrome.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
await chrome.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing', 'disabled-by-default-v8.wasm.detailed', 'v8.wasm', 'toplevel', 'disabled-by-default-v8.cpu_profiler'] })
await page.goto(site.url)
await page.locator('#file-input').setInputFiles('/tmp/run1000.yaml')
await page.locator('#steps-list [role=option]').first().waitFor()
const buf = await chrome.stopTracing()
await chrome.close(); await site.close()
const { traceEvents } = JSON.parse(buf.toString())
import { writeFileSync } from 'node:fs'
writeFileSync('/tmp/trace.json', buf)
const names = new Map(); for (const e of traceEvents) if (e.name === 'thread_name') names.set(e.pid + '/' + e.tid, e.args.name)
const nav = traceEvents.find((e) => e.name === 'navigationStart' && e.args?.data?.documentLoaderURL?.includes('/some/where/')) ?? traceEvents.find((e) => e.name === 'ResourceSendRequest')
const t0 = nav.ts
const rows = traceEvents.filter((e) => e.ph === 'X' && e.dur > 8000 && e.ts >= t0 && !/RunTask|ThreadController|ThreadPool_RunTask|SimpleWatcher|Receive|Connector|MessagePipe/.test(e.name))
rows.sort((a, b) => a.ts - b.ts)
for (const e of rows) console.log(((e.ts - t0) / 1000).toFixed(0).padStart(6), (e.dur / 1000).toFixed(0).padStart(5), (names.get(e.pid + '/' + e.tid) ?? '').slice(0, 26).padEnd(26), e.name.slice(0, 50), JSON.stringify(e.args?.data ?? e.args ?? {}).slice(0, 120))
