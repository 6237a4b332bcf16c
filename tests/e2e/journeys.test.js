// What an expert tries in the first ten minutes, from the design of the workbench: counts are asserted, times measured elsewhere
// (`cargo xtask bench`).
import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';
import { complaints } from './axe.js';
import { eventually, journey } from './harness.js';

const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length);
const line = async (bench, found) => (await bench.text()).split(found)[0].split('\n').length;

journey('J1 cold open: one screen of at most 500 kB, of this origin alone, and one press to the first step', {}, async (bench) => {
  const { page } = bench;
  await page.goto('about:blank');
  const fetched = [];
  page.on('response', (response) => fetched.push(response));
  await page.goto(bench.url);
  await page.getByRole('heading', { name: 'Examples' }).waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(fetched.map(async (response) => brotliCompressSync(await response.body()).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= 500_000, `${total} bytes in ${fetched.map((response) => response.url()).join(', ')}`);

  await page.getByRole('link', { name: /^weather_query_with_tools/ }).click();
  await bench.selected.filter({ hasText: 'Initial state' }).waitFor();
  // What is at hand needs no network.
  await page.getByText('No problems').waitFor();
  await bench.settled();
  await bench.context.setOffline(true);
  await page.keyboard.press('j');
  await bench.selected.filter({ hasText: 'Turn 1' }).waitFor();
});

journey('J2 time travel: list, source, inspector and address move together, and Back is one press', {}, async (bench) => {
  const { page } = bench;
  await page.getByRole('link', { name: /^weather_query_with_tools/ }).click();
  await bench.selected.waitFor();
  await bench.settled();
  const together = async (turn, id) => {
    await bench.selected.filter({ hasText: `Turn ${turn}` }).waitFor();
    await bench.address(`#/edit?d=ex:weather_query_with_tools&s=t${turn}`);
    await bench.inspector.getByText(`Turn ${turn} ·`).first().waitFor();
    const marked = page.locator('.cm-line.cm-band').first();
    await marked.filter({ hasText: id }).waitFor();
  };
  await page.keyboard.press('j');
  await together(1, 'turn: 1');
  assert.match((await bench.inspector.innerText()).replace(/\s+/g, ' '), /conversation_count 0 → 1/);
  await page.keyboard.press('j');
  await together(2, 'turn: 2');
  const scrubber = page.getByRole('slider', { name: 'Step of the run' });
  const box = await scrubber.boundingBox();
  await page.mouse.move(box.x + (box.width * 2) / 3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await together(1, 'turn: 1');
  await bench.steps.focus();
  await page.keyboard.press('End');
  await together(3, 'turn: 3');
  await page.goBack();
  await page.getByRole('heading', { name: 'Examples' }).waitFor();
});

journey('J3 break it: told with its place, the last good view stays, a fix and its way back are exact', { fragment: '#/edit?d=ex:weather_query_with_tools&s=t1' }, async (bench) => {
  const { page } = bench;
  await bench.selected.waitFor();
  const whole = await bench.text();
  await bench.typeOver('ref: msg_002', 'ref: msg_999');
  const broken = await bench.text();
  const row = bench.problems.getByRole('row').first();
  await row.filter({ hasText: `${await line(bench, 'msg_999')}:` }).waitFor();
  assert.match(await row.innerText(), /msg_999[\s\S]*msg_00/);
  // The quote at the end of the name.
  await bench.source.evaluate((field) => {
    const at = field.value.indexOf('weather_query_with_tools"') + 'weather_query_with_tools"'.length;
    field.focus();
    field.setSelectionRange(at, at);
  });
  await page.keyboard.press('Backspace');
  await page.getByText(/^Showing .*does not parse/).first().waitFor();
  assert.equal(await bench.steps.getByRole('option').count(), 4);
  const places = new Set();
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('F8');
    places.add((await bench.caret()).line);
  }
  assert.ok(places.size >= 1);
  await page.keyboard.press('Control+z');
  await eventually(() => bench.text(), broken);
  await bench.source.focus();
  await page.keyboard.press('F8');
  await eventually(async () => (await bench.caret()).selected, 'msg_999');
  await page.keyboard.press('Control+.');
  await page.getByText('No problems').waitFor();
  const mended = await bench.text();
  assert.notEqual(mended, broken);
  await page.keyboard.press('Control+z');
  await eventually(() => bench.text(), broken);
  await page.keyboard.press('Control+z');
  await eventually(() => bench.text(), whole);
  await page.getByText('No problems').waitFor();
});

for (const steps of [10_000, 100_000]) {
  journey(`J9 scale: ${steps} steps within 2,500 nodes, found by words, walked by key`, {}, async (bench) => {
    const { page } = bench;
    const turns = Array.from({ length: steps / 2 }, (_, at) => `  - "user: question ${at}"\n  - "assistant: answer ${at}"\n`);
    await page.locator('#file-input').setInputFiles({ name: 'long.yaml', mimeType: 'text/yaml', buffer: Buffer.from(`messages:\n${turns.join('')}`) });
    await bench.selected.waitFor({ timeout: 60_000 });
    await page.getByText('No problems').waitFor({ timeout: 60_000 });
    assert.equal(Number(await bench.selected.getAttribute('aria-setsize')), steps);
    assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`);
    await page.keyboard.press('/');
    await page.keyboard.type(`answer ${steps / 2 - 1}`);
    await page.keyboard.press('Enter');
    await bench.selected.filter({ hasText: `answer ${steps / 2 - 1}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await bench.selected.filter({ hasText: `question ${steps / 2 - 1}` }).waitFor();
    assert.ok((await nodes(page)) <= 2_500, `${await nodes(page)} nodes`);
  });
}

journey('J10 keep and share: keyboard alone, twice the text, a phone, no motion, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', reducedMotion: 'reduce', fragment: '#/edit?d=ex:context_management&s=t4' }, async (bench) => {
  const { page } = bench;
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  for (const pane of ['Source', 'Steps', 'Inspect', 'Problems']) {
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane }).click();
    assert.deepEqual(await complaints(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});
