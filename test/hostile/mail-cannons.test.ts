import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertSender } from '../../src/accept/account.fixture.ts';
import { createFormAccount, type FormAccount } from '../../src/forms/form-account.fixture.ts';
import type { ApiResponse } from '../support/api.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { signIn, type PanelUser } from '../support/panel-user.ts';
import { startRemoteMx, type RemoteMx } from '../support/remote-mx.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const mostADay = 3;
const mostPerNetwork = 40;
const mostPerInstance = 20;
let dns: DnsServer;
let mx: RemoteMx;
let service: TestService;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  dns.set('victim.example', 'MX', ['10 mx.victim.example']);
  dns.set('mx.victim.example', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,web,delivery',
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
      CHASQUI_TRUST_PROXY: 'true',
      CHASQUI_PLATFORM_MAIL_PER_NETWORK_HOUR: String(mostPerNetwork),
      CHASQUI_PLATFORM_MAIL_PER_INSTANCE_HOUR: String(mostPerInstance),
    },
  });
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
});

/** From one of so many networks that theirs are not the limits under test. */
const elsewhere = (): string =>
  `198.${18 + Math.trunc(Math.random() * 2)}.${Math.trunc(Math.random() * 256)}.7`;
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, async (_, index) => await work(index)));
const statuses = (answers: { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** How many mails were accepted for one person, however the address was spelt. */
async function accepted(local_part: string): Promise<number> {
  const [row] = await service.db.query<{ mails: number }>(
    `select count(*) as mails from mails
     where recipient ilike '%@victim.example' and ltrim(replace(lower(recipient), '\\', ''), '"') like $1 || '%'`,
    [local_part],
  );
  return row?.mails ?? 0;
}

async function openDomain(panel: PanelUser, domain: string): Promise<string> {
  const { json, status, text } = await panel.post('/v1/private/domains', { domain });
  assert.equal(status, 201, text);
  return `/v1/private/domains/${json.id}/send-dns`;
}

async function member(): Promise<PanelUser> {
  return await signIn(service, await service.tenant(), 'admin');
}

interface OpenForm extends FormAccount {
  id: number;
  url: string;
}

/** With double opt-in, from a sender that may write to anyone. */
async function openForm(account?: FormAccount): Promise<OpenForm> {
  const whose = account ?? (await createFormAccount(service));
  const { id: instance_id, slug } = whose.instance;
  const domain = `f${Math.trunc(Math.random() * 1e9)}.${slug}.example`;
  const sender = await insertSender(service, { instance_id, domain });
  const { json, text } = await whose.panel.post('/v1/private/forms', {
    name: 'Newsletter',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: sender.id,
    items: [{ kind: 'field', field_id: whose.fields['EMAIL'] }],
  });
  assert.ok(json.public_token, text);
  return { ...whose, id: json.id, url: `${service.base_url}/f/${json.public_token}` };
}

async function submit({ url }: OpenForm, email: string, address = elsewhere()): Promise<Response> {
  const body = new URLSearchParams({ EMAIL: email });
  return await fetch(url, { method: 'POST', redirect: 'manual', body, headers: from(address) });
}

test('200 calls of send-dns write to an address at most three times a day', async () => {
  const panel = await member();
  const path = await openDomain(panel, 'cannon.example.test');
  const email = 'dns@victim.example';
  const answers: ApiResponse[] = [];
  for (let round = 0; round < 4; round += 1) {
    answers.push(...(await times(50, async () => await panel.post(path, { email }, from(elsewhere())))));
  }
  assert.deepEqual([statuses(answers, 204), statuses(answers, 429)], [mostADay, 197]);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.json.code, 'rate_limit_exceeded');
  assert.ok(Number(refused?.headers.get('retry-after')) > 60);
  assert.equal(await accepted('dns'), mostADay);
  const { json } = await panel.get('/v1/private/audit-events?page_size=100');
  const trail = json.data.filter(({ action }: { action: string }) => action === 'domain.dns_records_sent');
  assert.deepEqual(
    trail.map(({ details }: { details: unknown }) => details),
    Array.from({ length: mostADay }, () => ({ email })),
  );
});

test('60 invitations to one person from many instances are three', async () => {
  const panels = await times(6, async () => await member());
  const answers = await times(60, async (index) => {
    const email = index % 2 === 0 ? 'invited@victim.example' : `Invited+${index}@VICTIM.example`;
    const panel = panels[index % panels.length] as PanelUser;
    return await panel.post('/v1/private/team/invitations', { email, role: 'viewer' }, from(elsewhere()));
  });
  assert.deepEqual([statuses(answers, 201), statuses(answers, 429)], [mostADay, 57]);
  assert.equal(await accepted('invited'), mostADay);
});

test('an instance writes to so many people in an hour', async () => {
  const panel = await member();
  const path = await openDomain(panel, 'hourly.example.test');
  const answers = await times(
    40,
    async (index) => await panel.post(path, { email: `hour-${index}@victim.example` }, from(elsewhere())),
  );
  assert.deepEqual([statuses(answers, 204), statuses(answers, 429)], [mostPerInstance, 20]);
});

test('all spellings of one person are one, over all forms and instances', async () => {
  const first = await openForm();
  const forms = [first, await openForm(first), await openForm()];
  const spellings = [
    'bomb@victim.example',
    'BOMB@victim.example',
    'bomb@VICTIM.example.',
    'bomb@victim．example',
    'bomb@victim。example',
    '"bomb"@victim.example',
    String.raw`"b\omb"@victim.example`,
    'bomb+1@victim.example',
    'bomb+2@victim.example',
    '"bomb+3"@Victim.Example',
  ];
  const locations = new Set<string>();
  for (const form of forms) {
    for (const spelling of spellings) {
      const { status, headers } = await submit(form, spelling);
      assert.equal(status, 303, spelling);
      locations.add(new URL(headers.get('location') ?? '', form.url).search);
    }
  }
  assert.deepEqual([...locations], ['?check-mail'], 'whether a mail was sent is not told');
  assert.equal(await accepted('bomb'), mostADay);
});

test('15 submissions at the same time are three confirmations', async () => {
  // Submissions of one instance wait for each other: only those of several meet at the recipient.
  const forms = await times(8, async () => await openForm());
  await times(15, async (index) => await submit(forms[index % 8] as OpenForm, 'parallel@victim.example'));
  assert.equal(await accepted('parallel'), mostADay);
});

test('a confirmation that is sent again counts like the first, and is on record', async () => {
  const form = await openForm();
  await submit(form, 'again@victim.example');
  const { data } = (await form.panel.get(`/v1/private/forms/${form.id}/submissions`)).json;
  const path = `/v1/private/forms/${form.id}/submissions/${data[0].id}/resend-confirmation`;
  const answers = await times(31, async () => await form.panel.post(path, undefined, from(elsewhere())));
  assert.deepEqual([statuses(answers, 204), statuses(answers, 429)], [mostADay - 1, 29]);
  assert.equal(await accepted('again'), mostADay);
  const { json } = await form.panel.get('/v1/private/audit-events?page_size=100');
  const trail = json.data.filter(({ action }: { action: string }) => action.includes('confirmation'));
  assert.deepEqual(
    trail.map(({ details }: { details: { email: string } }) => details.email),
    Array.from({ length: mostADay }, () => 'again@victim.example'),
  );
});

test('one network makes the platform write so often in an hour, whatever addresses of it are used', async () => {
  const forms = await times(4, async () => await openForm());
  const answers = await times(60, async (index) => {
    const address = `2001:db8:5:5:${index}::1`;
    return await submit(forms[index % 4] as OpenForm, `net-${index}@victim.example`, address);
  });
  assert.deepEqual([statuses(answers, 303), statuses(answers, 429)], [mostPerNetwork, 20]);
  assert.equal(await accepted('net-'), mostPerNetwork);
  const other = await submit(forms[0] as OpenForm, 'other-network@victim.example', '2001:db8:6:6::1');
  assert.equal(other.status, 303);
});
