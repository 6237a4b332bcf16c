// The pane of problems is as high as a person wants it, as long as neither it nor those above it vanish.
import assert from 'node:assert/strict'
import { complaints } from './axe.js'
import { eventually, journey } from './harness.js'

const FRAGMENT = '#/edit?d=ex:context_management&s=t1'
const dock = (page) => page.locator('#pane-problems')
const border = (page) => page.getByRole('separator', { name: 'Height of the problems' })
const height = async (page) => Math.round((await dock(page).boundingBox()).height)
const steps = async (page) => (await page.locator('#steps-list').boundingBox()).height

async function unfolded(bench) {
  const { page } = bench
  await bench.selected.waitFor()
  await dock(page).getByRole('button', { name: 'Assertions' }).click()
  await dock(page).getByText('2 of 2 passed').waitFor({ timeout: 60_000 })
}

journey(
  'arrows move the border by 16 pixels, Enter gives the usual height back, a reload keeps it',
  { fragment: FRAGMENT },
  async (bench) => {
    const { page } = bench
    await unfolded(bench)
    assert.equal(await border(page).getAttribute('aria-orientation'), 'horizontal')
    assert.equal(await height(page), 180)
    await border(page).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await eventually(() => height(page), 212)
    await page.keyboard.press('ArrowDown')
    await eventually(() => height(page), 196)
    assert.equal(await border(page).getAttribute('aria-valuenow'), '22')
    assert.deepEqual(await complaints(page), [])
    await page.reload()
    await unfolded(bench)
    assert.equal(await height(page), 196)
    await border(page).press('Enter')
    await eventually(() => height(page), 180)
  },
)

journey('the border is dragged, and stops before anything vanishes', { fragment: FRAGMENT }, async (bench) => {
  const { page } = bench
  await unfolded(bench)
  const drag = async (to) => {
    const place = await border(page).boundingBox()
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
    await page.mouse.down()
    await page.mouse.move(place.x + place.width / 2, to, { steps: 5 })
    await page.mouse.up()
  }
  await drag(600)
  await eventually(() => height(page), 300)
  await drag(2)
  await eventually(() => height(page), 540)
  assert.ok((await steps(page)) >= 56, 'a step is in sight')
  await drag(899)
  await eventually(() => height(page), 135)
  // What is kept for a high window leaves room in a low one.
  await border(page).press('End')
  await eventually(() => height(page), 540)
  await page.setViewportSize({ width: 1000, height: 480 })
  await eventually(async () => (await height(page)) <= 240 && (await steps(page)) >= 56, true)
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), 480)
})

journey('a border that was kept askew is left alone', { fragment: FRAGMENT }, async (bench) => {
  const { page } = bench
  for (const kept of ['NaN', '-1', '7', '70000', 'x']) {
    await page.evaluate((kept) => localStorage.setItem('transcript-workbench.dock', kept), kept)
    await page.reload()
    await unfolded(bench)
    assert.equal(await height(page), 180, kept)
  }
})

journey('a folded dock has no border to move', { fragment: FRAGMENT }, async (bench) => {
  const { page } = bench
  await unfolded(bench)
  assert.equal(await border(page).isVisible(), true)
  await page.keyboard.press('Control+j')
  await eventually(() => border(page).isVisible(), false)
})
