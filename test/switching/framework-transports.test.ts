import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Account, startAccepting } from '../../src/accept/account.fixture.ts';
import {
  openSwitching,
  storedAttachments,
  storedMarks,
  storedMessage,
} from '../../src/compat/compat-bed.fixture.ts';
import { selfSignedCertificate } from '../../src/protocol/tls/self-signed-certificate.ts';
import type { TestService } from '../support/test-service.ts';
import {
  type ClientError,
  type ClientProgram,
  findPhp,
  findPython,
  type Found,
  type Outcome,
  runCalls,
} from './client-program.fixture.ts';

let service: TestService;
let account: Account & { from: string };
/** The bridges of Symfony speak HTTPS only. */
let secure: Server;
let directory: string;
before(async () => {
  service = await startAccepting();
  account = await openSwitching(service);
  directory = await mkdtemp(path.join(tmpdir(), 'chq-switching-'));
  const { cert, key } = selfSignedCertificate({
    names: ['localhost'],
    valid_from: new Date(),
    valid_days: 2,
  });
  await writeFile(path.join(directory, 'cert.pem'), cert);
  secure = createServer({ cert, key }, (incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    const onward = request(service.base_url + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
});
after(async () => {
  secure.closeAllConnections();
  secure.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Transport {
  name: string;
  vendor: 'postmark' | 'sendgrid' | 'resend';
  found: Found;
  settings: () => Record<string, string>;
}

const anymail = (vendor: Transport['vendor'], repositories?: string[]): Transport => ({
  name: `Django’s anymail for ${vendor}`,
  vendor,
  found: findPython('anymail-calls.py', {
    ...(repositories && { repositories }),
    modules: [`anymail.backends.${vendor}`, 'requests'],
  }),
  settings: () => ({
    ANYMAIL_SERVICE: vendor,
    ANYMAIL_URL: service.base_url + (vendor === 'sendgrid' ? '/v3/' : ''),
  }),
});

const symfony = (vendor: 'postmark' | 'sendgrid'): Transport => ({
  name: `Symfony’s bridge for ${vendor}`,
  vendor,
  found: findPhp('symfony-calls.php', {
    files: ['HttpClient', 'Mailer', 'Mailer/Bridge/Postmark', 'Mailer/Bridge/Sendgrid'].map(
      (each) => `/usr/share/php/Symfony/Component/${each}/autoload.php`,
    ),
  }),
  settings: () => ({
    MAILER_SCHEME: `${vendor}+api`,
    MAILER_HOST: `localhost:${(secure.address() as AddressInfo).port}`,
    MAILER_CA: path.join(directory, 'cert.pem'),
  }),
});

const transports: Transport[] = [
  anymail('postmark'),
  anymail('sendgrid'),
  anymail('resend', ['django-anymail']),
  symfony('postmark'),
  symfony('sendgrid'),
];

for (const { name, vendor, found, settings } of transports) {
  const skip = 'missing' in found && found.missing;
  const isDjango = name.startsWith('Django');
  const send = async (mails: object[], key = account.api_key): Promise<Outcome[]> =>
    await runCalls((found as { program: ClientProgram }).program, {
      calls: mails.map((mail) => ({ key, op: 'send', args: [mail] })),
      settings: settings(),
    });
  const mail = (more: object = {}) => ({
    from: `Ana Pérez <${account.from}>`,
    to: ['delivered@sandbox.test'],
    subject: 'Hello',
    text: 'Hi',
    ...more,
  });

  test(`${name} sends all that it can say`, { skip }, async () => {
    const copy = (address: string) => (isDjango ? [address] : address);
    const [outcome] = await send([
      mail({
        to: ['Luis <luis@sandbox.test>', 'eva@sandbox.test'],
        cc: copy('cc@sandbox.test'),
        bcc: copy('bcc@sandbox.test'),
        [isDjango ? 'reply_to' : 'replyTo']: copy('help@example.com'),
        html: '<p>Hi</p>',
        headers: { 'X-Other': '1' },
        tags: ['welcome'],
        metadata: { user: 'u_1' },
        attachments: [['a.txt', 'uno, dós '.repeat(50), 'text/plain']],
      }),
    ]);
    const id = await messageOf(outcome, vendor);
    const { envelope, html, text } = await storedMessage(service, id);
    assert.deepEqual(envelope.from, { address: account.from, name: 'Ana Pérez' });
    assert.deepEqual(envelope.to, [
      { address: 'luis@sandbox.test', name: 'Luis' },
      { address: 'eva@sandbox.test' },
    ]);
    assert.deepEqual(envelope.cc, [{ address: 'cc@sandbox.test' }]);
    assert.equal(([envelope.reply_to].flat()[0] as { address: string }).address, 'help@example.com');
    const headers = new Map(envelope.headers);
    assert.equal(headers.get('X-Other'), '1');
    assert.equal(html, '<p>Hi</p>');
    assert.equal(text, 'Hi');
    const tags = (await storedMarks(service, id)).tags ?? {};
    if (vendor === 'resend') assert.equal(headers.get('X-Metadata'), '{"user": "u_1"}');
    else assert.deepEqual([tags['user'], tags['Tag'] ?? tags['category']], ['u_1', 'welcome']);
    const [file] = await storedAttachments(service, id);
    assert.deepEqual([file?.filename, file?.text], ['a.txt', 'uno, dós '.repeat(50)]);
  });

  test(`${name} is told what went wrong`, { skip }, async () => {
    const [wrong] = await send([mail()], 'chq.nobody.nothing');
    refused(wrong, isDjango ? 'AnymailRequestsAPIError' : 'HttpTransportException', /./);
    const [unknown] = await send([mail({ from: 'x@unknown.example' })]);
    refused(unknown, isDjango ? 'AnymailRequestsAPIError' : 'HttpTransportException', /sender/);
  });

  test(`${name} is told of suppressed recipients`, { skip }, async () => {
    const gone = `gone-${isDjango ? 'django' : 'symfony'}-${vendor}@sandbox.test`;
    await service.db.query(
      `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'hard_bounce')`,
      [account.instance.id, gone],
    );
    const [outcome] = await send([mail({ to: [gone] })]);
    if (vendor !== 'postmark') {
      const { status } = await firstMail(await messageOf(outcome, vendor));
      assert.equal(status, 4);
    } else if (isDjango) refused(outcome, 'AnymailRecipientsRefused', /./);
    else refused(outcome, 'HttpTransportException', /inactive/);
  });

  test(
    `${name} schedules, and sends by a template`,
    { skip: skip || (!isDjango && 'Symfony has no words for it') },
    async () => {
      const at = Math.ceil(Date.now() / 1000) + 3_600;
      if (vendor !== 'postmark') {
        const [later] = await send([
          mail({ send_at: vendor === 'resend' ? new Date(at * 1000).toISOString() : at }),
        ]);
        const { schedule_at } = await storedMarks(service, await messageOf(later, vendor));
        assert.equal(schedule_at?.getTime(), at * 1000);
      }
      if (vendor === 'resend') return;
      const alias = `d-anymail-${vendor}`;
      const { json } = await account.api.post('/v1/mail-templates', {
        name: alias,
        subject: 'Hi {{ name }}',
        source: '<p>{{ name }}</p>',
        alias,
      });
      await account.api.post(`/v1/mail-templates/${json.id}/publish`);
      const [templated] = await send([
        {
          from: account.from,
          to: ['a@sandbox.test'],
          subject: '',
          text: '',
          template_id: alias,
          merge_global_data: { name: 'Ana' },
        },
      ]);
      assert.equal((await storedMarks(service, await messageOf(templated, vendor))).subject, 'Hi Ana');
    },
  );
}

function refused(outcome: Outcome | undefined, kind: string, message: RegExp): void {
  assert.ok(outcome?.error, JSON.stringify(outcome));
  const error: ClientError = outcome.error;
  assert.equal(error.class, kind, error.message);
  assert.match(error.message, message);
}

/** By what the transport tells of it. */
async function messageOf(outcome: Outcome | undefined, vendor: Transport['vendor']): Promise<string> {
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  const { id, recipients } = outcome.ok as { id?: string; recipients?: Record<string, [string, string]> };
  const answeredId = id ?? Object.values(recipients ?? {})[0]?.[1] ?? '';
  if (vendor !== 'sendgrid') return answeredId;
  // It is the identifier of the call there, which Django does not tell.
  const [row] = await service.db.query<{ msg_id: string }>(
    'select msg_id from mails where instance_id = $1 order by mail_id desc limit 1',
    [account.instance.id],
  );
  return row?.msg_id ?? '';
}

async function firstMail(msgId: string): Promise<{ status: number }> {
  const [row] = await service.db.query<{ status: number }>('select status from mails where msg_id = $1', [
    msgId,
  ]);
  assert.ok(row);
  return row;
}
