import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h, startTransition, useState, type ReactNode } from 'react';

const { useMessages } = await import('../src/messages/use-messages.ts');
const { render } = await import('./render.ts');

function Both(): ReactNode {
  const first = useMessages('export_menu');
  const second = useMessages('mail_marks');
  return h('p', null, `${first.export}, ${second.test}`);
}

/** Shows the component as a change of the page does. */
function Later(): ReactNode {
  const [isShown, setShown] = useState(false);
  return isShown ? h(Both) : h('button', { onClick: () => startTransition(() => setShown(true)) }, 'Show');
}

test('a component that waits for two subjects gives each its own messages', async (t) => {
  const complaints = t.mock.method(console, 'error', () => undefined);
  const page = await render(h(Later));
  await page.click('button', 'Show');
  assert.equal(page.text(), 'Export, Sent in test mode');
  // React tells of promises that a component no longer passes to `use`.
  assert.deepEqual(
    complaints.mock.calls.map((call) => String(call.arguments[0])),
    [],
  );
  await page.end();
});
