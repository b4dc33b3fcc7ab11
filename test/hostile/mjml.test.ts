import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { mostWait, whileAttacked } from './neighbour.fixture.ts';

const path = '/v1/private/mail-templates/preview';
const page = (body: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;

/** Each keeps a processor busy for much longer than it may, or makes far more HTML than anybody can send. */
const bombs = {
  'elements that are never closed, before very many lines': `<mjml><mj-body>${'<a>'.repeat(100_000)}${'\n'.repeat(500_000)}</mj-body></mjml>`,
  'a carousel of 3,000 pictures': page(
    `<mj-carousel>${'<mj-carousel-image src="a" />'.repeat(3_000)}</mj-carousel>`,
  ),
  'a carousel of 20,000 pictures': page(
    `<mj-carousel>${'<mj-carousel-image src="a" />'.repeat(20_000)}</mj-carousel>`,
  ),
  'very many elements': page('<mj-text>x</mj-text>'.repeat(40_000)),
  'elements nested without end': `<mjml><mj-body>${'<mj-wrapper>'.repeat(50_000)}</mj-body></mjml>`,
};

let service: TestService;
before(async () => {
  const env = {
    CHASQUI_PREVIEWS_PER_MINUTE: '0',
    // The neighbour's own limit is not what is measured.
    CHASQUI_PANEL_REQUESTS_PER_SECOND: '0',
    CHASQUI_MJML_MAX_MS: '1500',
  };
  service = await startTestService({ env });
});
after(async () => await service.stop());

const developer = async (): Promise<PanelUser> => await signIn(service, await service.tenant(), 'developer');
const hello = { editor: 'mjml', source: page('<mj-text>Hello</mj-text>') };

test('MJML without end is refused, and neither sends nor the MJML of others wait for it', async (t) => {
  const [attacker, neighbour] = [await developer(), await developer()];
  // Both processes are there, which takes a second each.
  await Promise.all([attacker, neighbour].map(async (each) => await each.post(path, hello)));
  let isOver = false;
  let slowest = 0;
  const others = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      const { status, text } = await neighbour.post(path, hello);
      slowest = Math.max(slowest, performance.now() - began);
      assert.equal(status, 200, text);
    }
  };
  const { worst_ms } = await whileAttacked(service, async () => {
    const attack = Object.entries(bombs).map(async ([title, source]) => {
      const { status, json } = await attacker.post(path, { editor: 'mjml', source });
      assert.equal(status, 422, title);
      assert.equal(json.errors[0].pointer, '/source', title);
    });
    await Promise.all([Promise.all(attack).finally(() => (isOver = true)), others()]);
  });
  t.diagnostic(
    `another tenant waited at most ${Math.round(worst_ms)} ms, and ${Math.round(slowest)} ms for MJML`,
  );
  assert.ok(slowest < mostWait(), `another tenant waited ${slowest} ms for MJML`);
});

test('MJML of several instances at once does not delay others', async (t) => {
  const attackers = await Promise.all(Array.from({ length: 3 }, developer));
  const neighbour = await developer();
  await Promise.all([neighbour, ...attackers].map(async (each) => await each.post(path, hello)));
  const source = bombs['a carousel of 20,000 pictures'];
  const attack = attackers.flatMap((attacker) =>
    [1, 2].map(async () => (await attacker.post(path, { editor: 'mjml', source })).status),
  );
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const began = performance.now();
    assert.equal((await neighbour.post(path, hello)).status, 200);
    times.push(Math.round(performance.now() - began));
  }
  t.diagnostic(`ms: ${times.join(', ')}`);
  assert.ok(Math.max(...times) < mostWait());
  assert.deepEqual(new Set(await Promise.all(attack)), new Set([422]));
});
