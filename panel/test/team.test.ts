import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';

const { Page } = await import('../src/pages/team/page.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('team');

const member = (id: number, role: Role) => ({
  id,
  email: `${role}@example.com`,
  name: '',
  role,
  created_at: '2026-01-15T15:00:00.000Z',
});
const members = {
  data: [member(1, 'owner'), member(2, 'admin')],
  pagination: { page: 1, page_size: 25, total_items: 2, total_pages: 1 },
};
const team = (role: Role, search: string) =>
  renderPage(h(Page), { role, search, answers: [['panel_list_members', { query: { page: 1 } }, members]] });
const isOffered = (name: string): boolean => document.querySelector(`button[aria-label="${name}"]`) !== null;

test('an admin is offered nothing that is for owners, and the address opens nothing of it', async () => {
  const page = await team('admin', '?open=1');
  assert.ok(isOffered('Change admin@example.com'));
  assert.ok(!isOffered('Change owner@example.com'));
  assert.equal(document.querySelector('[role=dialog]'), null);
  await page.click('button', 'Invite');
  const options = [...document.querySelectorAll('[role=option]')].map((each) => each.textContent);
  assert.deepEqual(options, ['Admin', 'Developer', 'Viewer']);
  await page.end();
});

test('the only owner cannot be changed, also not by themselves', async () => {
  const page = await team('owner', '?open=1');
  assert.ok(isOffered('Change admin@example.com'));
  assert.ok(!isOffered('Change owner@example.com'));
  assert.equal(document.querySelector('[role=dialog]'), null);
  await page.end();
});

test('a viewer sees the team and no control', async () => {
  const page = await team('viewer', '');
  assert.match(page.text(), /owner@example\.com/);
  assert.equal(document.querySelectorAll('button:not([aria-label*="age"])').length, 0);
  await page.end();
});
