import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { TextInput } = await import('@mantine/core');
const { ActionButton, ActionMenu, RemoveButton } = await import('../src/parts/actions.tsx');
const { FormDialog } = await import('../src/parts/form-dialog.tsx');
const { render } = await import('./render.ts');

test('confirming inside of a form saves nothing of the form', async () => {
  const done: string[] = [];
  const page = await render(
    h(FormDialog<{ name: string }>, {
      title: 'Edit',
      opened: true,
      onClose: () => undefined,
      initial: { name: 'before' },
      onSubmit: async ({ name }) => void done.push(`saved ${name}`),
      children: (form) => [
        h(TextInput, { key: 'name', label: 'Name', ...form.getInputProps('name') }),
        h(RemoveButton, {
          key: 'remove',
          label: 'Delete sender',
          about: 'It is gone then.',
          run: () => done.push('deleted'),
        }),
      ],
    }),
  );
  await page.type('Name', 'after');
  await page.click('button', 'Delete sender');
  assert.match(page.text(), /It is gone then\./);
  await page.click('button', 'Delete sender', { within: 'last dialog' });
  assert.deepEqual(done, ['deleted']);
  await page.click('button', 'Save');
  assert.deepEqual(done, ['deleted', 'saved after']);
  await page.end();
});

test('a deletion waits until the name is typed', async () => {
  const done: string[] = [];
  const page = await render(
    h(ActionButton, {
      action: {
        label: 'Delete',
        about: '2 forms use it.',
        name: 'example.com',
        isDangerous: true,
        run: () => done.push('deleted'),
      },
    }),
  );
  await page.click('button', 'Delete');
  assert.match(page.text(), /2 forms use it\.This cannot be undone\./);
  await page.click('button', 'Delete', { within: 'last dialog' });
  assert.deepEqual(done, []);
  await page.type('Type “example.com” to confirm', ' example.com ');
  await page.click('button', 'Delete', { within: 'last dialog' });
  assert.deepEqual(done, ['deleted']);
  assert.equal(document.querySelector('[role=dialog]'), null);
  await page.end();
});

test('a refusal of the service is shown in the dialog, which stays open', async () => {
  const page = await render(
    h(ActionButton, {
      action: {
        label: 'Revoke',
        about: 'Mail stops.',
        run: async () => await Promise.reject(new Error('Nobody answered.')),
      },
    }),
  );
  await page.click('button', 'Revoke');
  await page.click('button', 'Revoke', { within: 'last dialog' });
  assert.match(page.text(), /Mail stops\..*Nobody answered\./);
  await page.end();
});

test('a menu asks before what has an explanation, and does the rest at once', async () => {
  const done: string[] = [];
  const page = await render(
    h(ActionMenu, {
      actions: [
        { label: 'Edit', run: () => done.push('edit') },
        false,
        { label: 'Pause', about: 'Nothing is sent meanwhile.', run: () => done.push('pause') },
      ],
    }),
  );
  await page.click('button', 'More actions');
  await page.click('button', 'Edit');
  assert.deepEqual(done, ['edit']);
  await page.click('button', 'More actions');
  await page.click('button', 'Pause');
  assert.deepEqual(done, ['edit']);
  await page.click('button', 'Pause', { within: 'last dialog' });
  assert.deepEqual(done, ['edit', 'pause']);
  const nothing = await render(h(ActionMenu, { label: 'Nothing to do', actions: [false] }));
  assert.doesNotMatch(nothing.text(), /Nothing to do/);
  await nothing.end();
  await page.end();
});
