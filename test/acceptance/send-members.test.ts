import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { createClient, type NewMessage } from '../../clients/typescript/src/index.ts';
import { insertSender } from '../../src/accept/account.fixture.ts';
import { createSmtpCredential } from '../../src/credentials/smtp-credentials.ts';
import { updateDomain } from '../../src/domains/change-domain.ts';
import { mcpCaller } from '../../src/mcp/mcp-caller.fixture.ts';
import { createTemplate, publishTemplate } from '../../src/templates/templates.ts';
import { runCommand } from '../support/run-command.ts';
import { renderer } from '../support/template-renderer.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';

const actor = { kind: 'operator' } as const;

let service: TestService;
let tenant: Tenant;
let login: { username: string; password: string };
let folder: string;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  const { id: instance_id } = tenant.instance;
  folder = await mkdtemp(path.join(tmpdir(), 'chq-members-'));
  login = await service.db.transaction(
    async (tx) => await createSmtpCredential(tx, instance_id, { name: 'test', actor }),
  );
  const template = {
    name: 'T',
    alias: 'order.paid',
    subject: 'Order {{ number }}',
    source: '<p>{{ number }}</p>',
  };
  const { id } = await createTemplate(service.db, instance_id, { template, actor, renderer });
  await publishTemplate(service.db, instance_id, { id, actor });
  const more = { name: 'Acme', stream: 'broadcast', track_opens: false };
  const sender = await insertSender(service, { instance_id, domain: 'open.example', more });
  await service.db.transaction(async (tx) => {
    const [domain] = await tx.query<{ id: number }>('select domain_id as id from senders where id = $1', [
      sender.id,
    ]);
    const changes = { any_sender: true, default_sender_id: sender.id };
    await updateDomain(tx, instance_id, { id: domain?.id ?? 0, changes, actor });
  });
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

interface Submitted {
  from_name?: string;
  reply_to?: string[];
  headers?: Record<string, string | string[]>;
}

/** A member, or several that belong together, as each way in has them. */
interface Row {
  what: string;
  members: Partial<NewMessage>;
  smtp: Submitted;
  /** Undefined where the command has no option. */
  command?: string[];
  /** What tells that it is stored. */
  stored: object;
}

const later = new Date(Date.now() + 3_600_000).toISOString();

const rows: Row[] = [
  { what: 'no member', members: {}, smtp: {}, command: [], stored: { content: 'own', tags: null } },
  {
    what: 'tags',
    members: { tags: { campaign: 'welcome', who: 'Muñoz' } },
    smtp: { headers: { 'X-Chq-Tag': ['campaign=welcome', 'who=Muñoz'] } },
    command: ['--tag', 'campaign=welcome', '--tag', 'who=Muñoz'],
    stored: {
      tags: { campaign: 'welcome', who: 'Muñoz' },
      indexed: ['campaign:welcome', 'campaign:welcome', 'who:Muñoz', 'who:Muñoz'],
    },
  },
  {
    what: 'sender_name',
    members: { sender_name: 'Ana, Ventas' },
    smtp: { from_name: 'Ana, Ventas' },
    command: ['--sender-name', 'Ana, Ventas'],
    stored: { from: { name: 'Ana, Ventas' } },
  },
  {
    what: 'an address of a domain with any_sender',
    members: { sender_email: 'Juan.Perez@open.example' },
    smtp: { from_name: 'Acme' },
    command: ['--from', 'Juan.Perez@open.example'],
    stored: {
      from: { address: 'Juan.Perez@open.example', name: 'Acme' },
      stream: 'broadcast',
      recipients_visible: 'self',
    },
  },
  {
    what: 'several reply_to',
    members: { reply_to: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
    smtp: { reply_to: ['a@example.com', 'b@example.com'] },
    command: ['--reply-to', 'a@example.com,b@example.com'],
    stored: { reply_to: ['a@example.com', 'b@example.com'] },
  },
  {
    what: 'template_alias and its variables',
    members: {
      template_alias: 'order.paid',
      template_variables: { number: 1001 },
      strict_variables: true,
      subject: null,
      html: null,
    },
    smtp: {
      headers: {
        'X-Chq-Template-Alias': 'order.paid',
        'X-Chq-Template-Variables': '{"number": 1001}',
        'X-Chq-Strict-Variables': 'true',
      },
    },
    command: ['--template-alias', 'order.paid', '--variables', '{"number": 1001}', '--strict-variables'],
    stored: {
      content: 'template',
      variables: { all: { number: 1001 } },
      mails: [{ subject: 'Order 1001' }, {}],
    },
  },
  {
    what: 'tracking',
    members: { tracking: { opens: false, clicks: false } },
    smtp: { headers: { 'X-Chq-Track-Opens': 'false', 'X-Chq-Track-Clicks': 'false' } },
    command: ['--track-opens', 'off', '--track-clicks', 'off'],
    stored: { untracked: ['opens', 'clicks'] },
  },
  {
    what: 'reply_token',
    members: { reply_token: true },
    smtp: { headers: { 'X-Chq-Reply-Token': 'true' } },
    command: ['--reply-token'],
    stored: { reply_token: true },
  },
  {
    what: 'recipients_visible',
    members: { recipients_visible: 'self' },
    smtp: { headers: { 'X-Chq-Recipients-Visible': 'self' } },
    command: ['--recipients-visible', 'self'],
    stored: { recipients_visible: 'self' },
  },
  {
    what: 'schedule_at',
    members: { schedule_at: later },
    smtp: { headers: { 'X-Chq-Schedule-At': later } },
    command: ['--schedule-at', later],
    stored: { mails: [{ schedule_at: later, due_at: later }, {}] },
  },
  {
    what: 'labels',
    members: {
      category: 'Órdenes',
      custom_msg_id: 'order-1001',
      custom_group_code: 'orders',
      test_mode: true,
    },
    smtp: {
      headers: {
        'X-Chq-Category': 'Órdenes',
        'X-Chq-Custom-Msg-Id': 'order-1001',
        'X-Chq-Custom-Group-Code': 'orders',
        'X-Chq-Test-Mode': 'true',
      },
    },
    stored: {
      mails: [
        { category: 'ordenes', custom_msg_id: 'order-1001', custom_group_code: 'orders', test_mode: true },
        {},
      ],
    },
  },
];

const to = ['ana@sandbox.test', 'eve@sandbox.test'];

function bodyOf({ members }: Row): NewMessage {
  return {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: to.map((email) => ({ email })),
    subject: 'Hello',
    html: '<p>Hello</p>',
    ...members,
  };
}

type Send = (row: Row, key: string) => Promise<string>;

const ways: Record<string, Send> = {
  'the HTTP send': async (row, key) => {
    const { status, json, text } = await tenant.api.post('/v1/mails/send', bodyOf(row), {
      'idempotency-key': key,
    });
    assert.equal(status, 200, text);
    return json.message_id;
  },
  'a batch': async (row, key) => {
    const body = { mails: [bodyOf(row)] };
    const { json, text } = await tenant.api.post('/v1/mails/batch', body, { 'idempotency-key': key });
    assert.ok(json.data[0].message_id, text);
    return json.data[0].message_id;
  },
  'the MCP tool': async (row, key) => {
    const { base_url } = service;
    const agent = mcpCaller({ base_url }, { api_key: tenant.api_key, slug: tenant.instance.slug });
    const answer = await agent.call('send_mail', { ...bodyOf(row), idempotency_key: key });
    assert.ok(answer.structuredContent?.message_id, JSON.stringify(answer));
    return answer.structuredContent.message_id;
  },
  'the TypeScript client': async (row, key) => {
    const { base_url } = service;
    const client = createClient({ base_url, api_key: tenant.api_key, instance: tenant.instance.slug });
    return (await client.send(bodyOf(row), { idempotency_key: key })).message_id;
  },
  SMTP: async (row, key) => await submit(row, key),
  'the command': async ({ command = [] }, key) => {
    const words = ['send', '--instance', tenant.instance.slug, '--to', to.join(','), '--json'];
    const content = command.includes('--template-alias')
      ? []
      : ['--subject', 'Hello', '--html', '<p>Hello</p>'];
    const { stdout, stderr } = await runCommand(
      [...words, ...content, ...command, '--idempotency-key', key],
      {
        DATABASE_URL: service.database.url,
        CHASQUI_DATA_DIR: folder,
        CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
      },
    );
    assert.equal(stderr, '');
    return JSON.parse(stdout).message_id;
  },
};

async function submit(row: Row, key: string): Promise<string> {
  const [host = '', port] = (service.service.addresses.submission?.starttls ?? '').split(':');
  const transport = createTransport({
    host,
    port: Number(port),
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: login.username, pass: login.password },
  });
  const { sender_email } = bodyOf(row);
  const [sender] = (await tenant.api.get('/v1/senders')).json.data;
  try {
    const { response } = await transport.sendMail({
      from: { name: row.smtp.from_name ?? sender.name, address: sender_email },
      to,
      subject: 'Hello',
      html: '<p>Hello</p>',
      headers: { ...row.smtp.headers, 'X-Chq-Idempotency-Key': key },
      ...(row.smtp.reply_to ? { replyTo: row.smtp.reply_to } : {}),
    });
    return /queued as ([0-9a-f-]{36})$/.exec(response)?.[1] ?? assert.fail(response);
  } finally {
    transport.close();
  }
}

interface Envelope {
  from: object;
  to: { address: string }[];
  reply_to?: { address: string } | { address: string }[];
  recipients_visible?: string;
  untracked?: string[];
  reply_token?: true;
}

/** What the members decide, the same however a message came. */
async function stored(msgId: string): Promise<object> {
  const [message] = await service.db.query<{
    content_kind: string;
    envelope: Envelope;
    html: string | null;
    raw: Buffer | null;
    [name: string]: unknown;
  }>(
    `select sender_id, stream, template_id, content_kind, envelope, convert_from(html, 'UTF8') as html, raw,
       convert_from(variables, 'UTF8')::jsonb as variables,
       (select tags from mails where mails.msg_id = messages.msg_id limit 1) as tags,
       array(select tag from mail_tags join mails using (mail_id) where mails.msg_id = messages.msg_id order by tag) as indexed
     from messages where msg_id = $1`,
    [msgId],
  );
  assert.ok(message);
  const { content_kind, envelope, html, raw, ...rest } = message;
  const mails = await service.db.query(
    `select m.recipient, m.recipient_kind, m.subject, m.sender_email, m.schedule_at, m.tags, m.test_mode, m.custom_msg_id,
       m.custom_group_code, m.status, c.slug as category, case when m.schedule_at is null then null else q.due_at end as due_at
     from mails m left join categories c on c.id = m.category_id left join queue q using (mail_id)
     where m.msg_id = $1 order by m.mail_id`,
    [msgId],
  );
  const parsed = raw ? await PostalMime.parse(raw) : undefined;
  const replies = raw ? parsed?.replyTo : [envelope.reply_to ?? []].flat();
  return JSON.parse(
    JSON.stringify({
      ...rest,
      content: content_kind === 'liquid' ? 'template' : 'own',
      html: html ?? parsed?.html?.trim(),
      from: envelope.from,
      to: envelope.to.map(({ address }) => address),
      reply_to: (replies ?? []).map(({ address }) => address),
      recipients_visible: envelope.recipients_visible ?? null,
      untracked: envelope.untracked ?? [],
      reply_token: envelope.reply_token ?? false,
      mails,
    }),
  );
}

for (const row of rows) {
  test(`${row.what}: every way in stores the same mail, once for each key`, async (t) => {
    const expected = await stored(
      await (ways['the HTTP send'] as Send)(row, `first ${row.what}`.replaceAll(' ', '-')),
    );
    assert.partialDeepStrictEqual(expected, row.stored);
    for (const [way, send] of Object.entries(ways)) {
      if (way === 'the command' && !row.command) continue;
      await t.test(way, async () => {
        const key = `${way}-${row.what}`.replaceAll(' ', '-');
        const msg_id = await send(row, key);
        assert.deepEqual(await stored(msg_id), expected);
        assert.equal(await send(row, key), msg_id, 'the first answer again');
      });
    }
  });
}

test('tags are in the list and the detail of a mail, in its message and in the export', async () => {
  const row = rows.find(({ what }) => what === 'tags');
  assert.ok(row);
  const tags = row.members.tags;
  const msg_id = await (ways['the HTTP send'] as Send)(row, 'shown');
  const list = await tenant.api.get(`/v1/mails?msg_id=${msg_id}&tag=campaign:welcome&tag=who:Mu%C3%B1oz`);
  assert.equal(list.json.data.length, 2);
  assert.deepEqual(list.json.data[0].tags, tags);
  assert.deepEqual((await tenant.api.get(`/v1/mails/${list.json.data[0].mail_id}`)).json.tags, tags);
  assert.deepEqual((await tenant.api.get(`/v1/messages/${msg_id}`)).json.tags, tags);
  const exported = await tenant.api.get(
    `/v1/activities/sent/export?format=json&tag=campaign:welcome&msg_id=${msg_id}`,
  );
  assert.deepEqual(exported.json.data[0].tags, tags);
});
