import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { journey } from './harness.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function complaints(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  journey(`axe finds nothing serious in the gallery, ${colorScheme}`, { colorScheme }, async ({ page }) => {
    await page.getByRole('heading', { name: 'Examples' }).waitFor();
    assert.deepEqual(await complaints(page), []);
  });

  journey(`axe finds nothing serious in a run with a problem, ${colorScheme}`, { colorScheme, fragment: '#/edit?d=ex:context_management&s=t4' }, async (bench) => {
    await bench.selected.waitFor();
    await bench.typeOver('ref: msg_003', 'ref: msg_013');
    await bench.problems.getByRole('row').first().waitFor();
    assert.deepEqual(await complaints(bench.page), []);
  });
}

journey('axe finds nothing serious on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, fragment: '#/edit?d=ex:error_handling&s=t2' }, async (bench) => {
  await bench.source.waitFor();
  for (const name of ['Source', 'Steps', 'Inspect', 'Problems']) {
    await bench.page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }).tap();
    assert.deepEqual(await complaints(bench.page), []);
  }
});
