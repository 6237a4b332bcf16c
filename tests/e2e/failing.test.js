import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, serve } from './site.js';

let site;
let chrome;
before(async () => {
  site = await serve();
  chrome = await browser();
});
after(async () => {
  await chrome?.close();
  await site?.close();
});

test('when the module does not come, the page says so, offers Reload, and gives out the last document', async () => {
  const context = await chrome.newContext();
  const page = await context.newPage();
  await page.goto(`${site.url}#/edit?d=ex:weather_query`);
  const source = page.getByRole('textbox', { name: 'Source text of the transcript' });
  await source.fill("messages: ['user: Keep me']");
  await page.getByText(/^Saved on this device/).waitFor();

  await page.route('**/*.wasm', (route) => route.abort());
  await page.reload();
  const failure = page.getByRole('alert').filter({ hasText: 'The workbench has stopped' });
  await failure.waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    failure.getByRole('button', { name: 'Download my document' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'weather_query.yaml');
  await page.unroute('**/*.wasm');
  await failure.getByRole('button', { name: 'Reload' }).click();
  await source.waitFor();
  assert.equal(await source.inputValue(), "messages: ['user: Keep me']");
  await context.close();
});

test('the policy of the page allows nothing from outside and nothing inline', async () => {
  const context = await chrome.newContext();
  const page = await context.newPage();
  await page.goto(site.url);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
  assert.match(policy, /connect-src 'self'/);
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
        const inline = document.createElement('script');
        inline.textContent = 'window.ran = true';
        document.body.append(inline);
      }),
  );
  assert.equal(blocked, 'script-src-elem');
  assert.equal(await page.evaluate(() => window.ran ?? null), null);
  await context.close();
});
