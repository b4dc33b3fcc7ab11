import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { pageUrl } from '../../src/track/pages/mail-pages.fixture.ts';
import { bombs } from '../../src/templates/liquid-bombs.fixture.ts';
import type { ApiResponse } from '../support/api.ts';
import { signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { whileAttacked } from './neighbour.fixture.ts';

const path = '/v1/private/mail-templates';
/** Passes saving, where no sample has this name. */
const forBoom = (bomb: string): string =>
  `{% if recipient.email contains 'boom' %}${bomb}{% endif %}<p>Hi</p>`;
const work = '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ a }}{% endfor %}{% endfor %}';
const nested = `{% assign r = (1..2000) %}\n{{ r | find_exp: "x", "r | find_exp: 'y', 'y == 0'" }}`;

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api,web,delivery', env: { CHASQUI_PREVIEWS_PER_MINUTE: '0' } });
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

async function assertNobodyWaits(t: TestContext, attack: () => Promise<unknown>): Promise<void> {
  const { worst_ms } = await whileAttacked(service, attack);
  t.diagnostic(`another tenant waited at most ${Math.round(worst_ms)} ms`);
}

const preview = async (content: object): Promise<ApiResponse> =>
  await developer.post(`${path}/preview`, content);

async function publish(content: object): Promise<number> {
  const { status, json, text } = await developer.post(path, { name: 'T', subject: 'Hi', ...content });
  assert.equal(status, 201, text);
  assert.equal((await developer.post(`${path}/${json.id}/publish`)).status, 200);
  return json.id;
}

async function send(template_id: number, addresses: string[]): Promise<ApiResponse> {
  return await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: addresses.map((email) => ({ email })),
    template_id,
  });
}

interface Mail {
  mail_id: string;
  recipient: string;
  status: number;
  reason: string | null;
  detail: string | null;
}

const mailsOf = async (message_id: string): Promise<Mail[]> =>
  await service.db.query<Mail & Record<string, unknown>>(
    `select m.mail_id, m.recipient, m.status, e.reason, e.data ->> 'detail' as detail
     from mails m left join events e on e.mail_id = m.mail_id and e.event in ('sent', 'bounced', 'deferred')
     where m.msg_id = $1 order by m.recipient`,
    [message_id],
  );

async function ended({ status, json, text }: ApiResponse): Promise<Mail[]> {
  assert.equal(status, 200, text);
  return await waitFor(
    async () => {
      const mails = await mailsOf(json.message_id);
      return mails.every((mail) => mail.status === 3 || mail.status === 6) && mails;
    },
    { timeout_ms: 120_000, what: 'the mails to be over' },
  );
}

test('filters that evaluate text are refused by name and line, at once', async (t) => {
  await assertNobodyWaits(t, async () => {
    for (const answer of [
      await preview({ source: nested }),
      await developer.post(path, { name: 'x', source: nested }),
    ]) {
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.json.errors, [
        {
          pointer: '/source',
          code: 'value_error.liquid',
          message: 'Line 2, column 1: the filter find_exp is not allowed',
          params: { line: 2, column: 1 },
        },
      ]);
    }
  });
});

test('previews of endless templates are answered, and other tenants do not wait', async (t) => {
  await assertNobodyWaits(t, async () => {
    const answers = await Promise.all(Object.values(bombs).map(async (source) => await preview({ source })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [422]);
  });
});

test('such templates are not saved, in any part', async (t) => {
  const { json } = await developer.post(path, { name: 'x' });
  await assertNobodyWaits(t, async () => {
    const parts = [{ source: work }, { text: work }, { subject: work }];
    const created = parts.map(async (part) => await developer.post(path, { name: 'x', ...part }));
    const changed = parts.map(async (part) => await developer.patch(`${path}/${json.id}`, part));
    const answers = await Promise.all([...created, ...changed]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([422]));
  });
});

test('a preview whose data make the template endless is answered', async (t) => {
  await assertNobodyWaits(t, async () => {
    const content = { source: forBoom(work), recipient: { email: 'boom@example.com' } };
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await preview(content)));
    for (const { status, json } of answers) {
      assert.equal(status, 422);
      assert.match(json.errors[0].message, /more work than it may/);
    }
  });
});

test('a subject without end is refused when it is sent', async (t) => {
  const subject = forBoom('{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}');
  const id = await publish({ subject, source: 'x' });
  await assertNobodyWaits(t, async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => await send(id, [`boom${index}@sandbox.test`])),
    );
    for (const { status, json } of answers) {
      assert.equal(status, 422);
      assert.equal(json.errors[0].pointer, '/template_id');
    }
  });
  assert.equal((await send(id, ['ana@sandbox.test'])).status, 200);
});

test('mail with an endless template bounces, other mail is delivered, and other tenants do not wait', async (t) => {
  const kinds = [
    'loops in loops',
    'a text that doubles',
    'dates in a loop',
    'a search in a list',
    'a long condition',
  ];
  const ids = await Promise.all(
    kinds.map(async (kind) => await publish({ source: forBoom(bombs[kind] ?? '') })),
  );
  const many = Array.from({ length: 20 }, (_, index) => `boom${index}@sandbox.test`);
  await assertNobodyWaits(t, async () => {
    const sends = ids.map(async (id) => await ended(await send(id, [...many, 'ana@sandbox.test'])));
    for (const mails of await Promise.all(sends)) {
      const { 3: sent = [], 6: bounced = [] } = Object.groupBy(mails, ({ status }) => status);
      assert.deepEqual(
        sent.map(({ recipient }) => recipient),
        ['ana@sandbox.test'],
      );
      assert.deepEqual(new Set(bounced.map(({ reason }) => reason)), new Set(['template_failed']));
      assert.match(bounced[0]?.detail ?? '', /than it may/);
    }
  });
});

test('the page of such a mail says that it does not exist, and other tenants do not wait', async (t) => {
  const id = await publish({ source: forBoom(work) });
  const [boom] = await ended(await send(id, ['boom@sandbox.test']));
  const [fine] = await ended(await send(id, ['ana@sandbox.test']));
  await assertNobodyWaits(t, async () => {
    const view = async (mail: Mail | undefined): Promise<number> => {
      const response = await fetch(pageUrl(service, 'view', mail?.mail_id ?? ''));
      await response.text();
      return response.status;
    };
    const answers = await Promise.all([fine, ...Array.from({ length: 30 }, () => boom)].map(view));
    assert.deepEqual(answers, [200, ...Array.from({ length: 30 }, () => 410)]);
  });
});

test('one instance that waits for many is told to come back, others are not', async () => {
  const other = await signIn(service, await service.tenant(), 'developer');
  const content = { source: forBoom(work), recipient: { email: 'boom@example.com' } };
  const flood = Array.from({ length: 150 }, async () => await preview(content));
  const answer = await other.post(`${path}/preview`, { source: '{{ recipient.name }}' });
  assert.deepEqual([answer.status, answer.json.html], [200, 'Ana Rojas']);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([422, 503]));
});
