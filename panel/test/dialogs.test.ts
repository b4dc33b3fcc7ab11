import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { TextInput } = await import('@mantine/core');
const { DangerDialog } = await import('../src/parts/danger-dialog.tsx');
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
        h(DangerDialog, {
          key: 'remove',
          title: 'Delete sender',
          opened: true,
          onClose: () => undefined,
          action: 'Delete',
          onConfirm: async () => void done.push('deleted'),
          children: 'It is gone then.',
        }),
      ],
    }),
  );
  await page.type('Name', 'after');
  await page.click('button', 'Delete');
  assert.deepEqual(done, ['deleted']);
  await page.click('button', 'Save');
  assert.deepEqual(done, ['deleted', 'saved after']);
  await page.end();
});
