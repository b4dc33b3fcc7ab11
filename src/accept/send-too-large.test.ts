import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { countMessages, openAccount, startAccepting, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  const settings = { attachment_limit_bytes: 20 * mebibyte, bandwidth_bytes_per_second: 2 ** 40 };
  account = await openAccount(service, { settings });
});
after(async () => await service.stop());

const mebibyte = 1024 * 1024;
const bodyLimit = 20 * mebibyte;

async function post(body: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

/** The valid mail as JSON of that many bytes, with blanks that gzip cannot make a hundred times as small. */
const padded = (length: number): Buffer => {
  const body = Buffer.from(randomBytes(length).map((octet) => (octet % 2 === 0 ? 32 : 10)));
  body.write(JSON.stringify(account.mail()));
  return body;
};

test('a body of 20 MB is read, one byte more is a 413 that tells the limit', async () => {
  assert.equal((await post(padded(bodyLimit))).status, 200);
  const answer = await post(padded(bodyLimit + 1));
  assertProblem(answer, 'request_too_large');
  assert.equal(answer.json.max_bytes, bodyLimit);
});

test('the limit holds for the body inflated', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  assert.equal((await post(gzipSync(padded(bodyLimit), { level: 1 }), gzip)).status, 200);
  const answer = await post(gzipSync(padded(bodyLimit + 1), { level: 1 }), gzip);
  assertProblem(answer, 'request_too_large');
  assert.equal(answer.json.max_bytes, bodyLimit);
});

test('the assembled message may have 15 MB and not an octet more', async () => {
  const attachments = [
    { type: 'a/b', filename: 'a', content: Buffer.alloc(10 * mebibyte, 7).toString('base64') },
  ];
  // Lines that need no encoding: an octet of HTML is an octet of the message.
  const mail = (length: number): Body => {
    const lines = Math.floor(length / 72) - 1;
    const first = 'x'.repeat(length - 72 * lines - 2);
    return { attachments, text: 'x', html: `${first}\r\n${`${'x'.repeat(70)}\r\n`.repeat(lines)}` };
  };
  const first = await account.send(mail(72_000));
  assert.equal(first.status, 200);
  const [row] = await service.db.query<{ size_bytes: number }>(
    'select size_bytes from messages where msg_id = $1',
    [first.json.message_id],
  );
  const left = 15 * mebibyte - (row?.size_bytes ?? 0);
  assert.ok(left > 0 && left < 2 * mebibyte, `${left} octets are left`);
  const fitting = 72_000 + left;
  assert.equal((await account.send(mail(fitting))).status, 200);
  const answer = await account.send(mail(fitting + 1));
  assertProblem(answer, 'request_too_large', { detail: new RegExp(String(15 * mebibyte)) });
});

test('the limits do not add up: 5 MB of HTML and 10 MB of attachments are too much together', async () => {
  const beforeCount = await countMessages(account);
  const content = Buffer.alloc(10 * mebibyte, 7).toString('base64');
  const html = '<p>x</p>'.repeat((5 * mebibyte) / 8);
  const answer = await account.send({ html, attachments: [{ type: 'a/b', filename: 'a', content }] });
  assertProblem(answer, 'request_too_large');
  assert.equal(await countMessages(account), beforeCount);
});

test('a message that fits with the text made of its HTML is not refused for its HTML', async () => {
  const content = Buffer.alloc(6 * mebibyte, 7).toString('base64');
  const html = `<style>${'x'.repeat(5 * mebibyte - 100)}</style><p>x</p>`;
  const answer = await account.send({ html, attachments: [{ type: 'a/b', filename: 'a', content }] });
  assert.equal(answer.status, 200, answer.text);
});

test('a mail over the burst of the line is a 413, as large as the burst it passes', async () => {
  const size = async (): Promise<number> => {
    const { json } = await account.send({ text: 'x' });
    const [row] = await service.db.query<{ size_bytes: number }>(
      'select size_bytes from messages where msg_id = $1',
      [json.message_id],
    );
    return row?.size_bytes ?? 0;
  };
  const one = await size();
  for (const [burst, recipients, status] of [
    [2 * one + 200, 2, 200],
    [2 * one - 200, 2, 413],
    [2 * one - 200, 1, 200],
  ] as const) {
    const settings = { bandwidth_burst_bytes: burst };
    const narrow = await openAccount(service, { settings });
    const to = [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }].slice(0, recipients);
    const answer = await narrow.send({ to, text: 'x' });
    assert.equal(answer.status, status, answer.text);
    if (status === 413) assertProblem(answer, 'request_too_large', { detail: /burst/ });
  }
});
