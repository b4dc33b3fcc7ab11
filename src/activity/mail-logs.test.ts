import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

interface Line {
  event: string;
  status: number | null;
  reason: string | null;
  attempt: number | null;
  smtp_code: number | null;
}

async function sendTo(recipient: string): Promise<string> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: recipient }],
    subject: 'x',
    html: '<p>x</p>',
  });
  const [mail] = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  return mail?.mail_id ?? '';
}
const linesOf = async (mailId: string): Promise<Line[]> =>
  (await tenant.api.get(`/v1/mails/${mailId}/logs`)).json.data;
const untilEvent = async (mailId: string, event: string): Promise<Line[]> =>
  await waitFor(
    async () => {
      const lines = await linesOf(mailId);
      return lines.some((line) => line.event === event) && lines;
    },
    { what: event },
  );

test('the log of a delivered mail tells of its reception and its delivery', async () => {
  const lines = await untilEvent(await sendTo('delivered@sandbox.test'), 'sent');
  assert.deepEqual(
    lines.map(({ event, status, attempt }) => [event, status, attempt]),
    [
      ['received', 1, null],
      ['queued', 2, null],
      ['sent', 3, 1],
    ],
  );
});

test('the log of a bounce has what the server said, and the next mail to that address is dropped with its reason', async () => {
  const lines = await untilEvent(await sendTo('bounce@sandbox.test'), 'bounced');
  assert.equal(lines.at(-1)?.smtp_code, 550);
  const dropped = await linesOf(await sendTo('Bounce@sandbox.test'));
  assert.deepEqual(
    dropped.map(({ event, status, reason }) => [event, status, reason]),
    [
      ['received', 1, null],
      ['dropped', 4, 'recipient_restricted'],
    ],
  );
});

test('a mail of another instance is mail_not_found; one past retention is recognised by its id', async () => {
  const other = await service.tenant();
  const mailId = await sendTo('delivered@sandbox.test');
  const codeOf = async (id: string, api = tenant.api) => (await api.get(`/v1/mails/${id}/logs`)).json.code;
  assert.equal(await codeOf(mailId, other.api), 'mail_not_found');
  assert.equal(await codeOf('nonsense'), 'mail_not_found');
  assert.equal(await codeOf('019a84f2-7c00-4000-8000-2f6d1c3b5a7a'), 'mail_not_found');
  assert.equal(await codeOf(`${mailId.slice(0, -1)}${mailId.endsWith('0') ? '1' : '0'}`), 'mail_not_found');
  assert.equal(await codeOf('01900000-0000-7000-8000-000000000000'), 'mail_outside_retention');
});
