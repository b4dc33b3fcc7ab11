import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openAccount, startAccepting, type Account } from '../../src/accept/account.fixture.ts';
import { assertProblem } from '../acceptance/problems.fixture.ts';
import type { ApiResponse } from '../support/api.ts';
import { signIn } from '../support/panel-user.ts';
import type { TestService } from '../support/test-service.ts';
import { attackOverHttp } from './attacker.fixture.ts';
import { whileAttacked } from './neighbour.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  // Room for all of them: what is measured is how they are read.
  const room = String(1024 ** 3);
  service = await startAccepting({
    env: { CHASQUI_BODY_MEMORY_BYTES: room, CHASQUI_BODY_MEMORY_INSTANCE_BYTES: room },
  });
  account = await openAccount(service, {
    settings: { bandwidth_bytes_per_second: 1e9, bandwidth_burst_bytes: 1e9 },
  });
});
after(async () => await service.stop());

interface Attack {
  body: Buffer;
  encoding?: string;
  type?: string;
}

async function post(
  { body, encoding, type = 'application/json' }: Attack,
  { times = 1, path = '/v1/mails/send' } = {},
): Promise<ApiResponse[]> {
  const headers = {
    ...account.headers,
    'content-type': type,
    ...(encoding ? { 'content-encoding': encoding } : {}),
  };
  return await attackOverHttp({ base_url: service.base_url, path, headers, body, times });
}

const mebibyte = 1024 * 1024;
const zipped = (text: string): Attack => ({ body: gzipSync(text), encoding: 'gzip' });
const plain = (text: string): Attack => ({ body: Buffer.from(text) });
const objects = (count: number): string => `[${'{},'.repeat(count - 1)}{}]`;
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}`;
const boundary = 'b0undary';
const form = (fields: Record<string, string>): Attack => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  };
};

const refused: [what: string, attack: () => Attack, detail: RegExp][] = [
  ['six million objects in 19 KB of gzip', () => zipped(objects(6_000_000)), /more than 20000 values/],
  ['a million members', () => plain(members(1_000_000)), /more than 1000 members/],
  ['five million numbers', () => plain(`[${'1,'.repeat(5_000_000)}1]`), /more than 20000 values/],
  ['a list of ten million levels', () => plain('['.repeat(10_000_000)), /nested deeper than 32 levels/],
  ['30,000 levels in a short body', () => plain('['.repeat(15_000) + ']'.repeat(15_000)), /nested deeper/],
  ['objects of a million levels', () => plain('{"a":'.repeat(1_000_000)), /nested deeper than 32 levels/],
  [
    '20 MB of names',
    () => plain(`[${`{"${'n'.repeat(20_000)}":1},`.repeat(900)}1]`),
    /more than 1048576 bytes of names/,
  ],
  ['18 MB of escapes', () => plain(`{"html":"${String.raw`\n`.repeat(9_000_000)}"}`), /escaped characters/],
  [
    'a form with a million values',
    () => form({ to: `[${'1,'.repeat(400_000)}1]` }),
    /more than 20000 values/,
  ],
  [
    'a form that spreads its values over parts',
    () => form({ to: objects(8_000), cc: objects(8_000), bcc: objects(8_000) }),
    /more than 20000 values/,
  ],
  [
    'a form with 10 MB of blanks as JSON',
    () => form({ to: ' '.repeat(10 * mebibyte) }),
    /characters of JSON/,
  ],
];
for (const [what, attack, detail] of refused) {
  test(`${what} cost others nothing and are refused`, async (t) => {
    const bytes = attack();
    const { result, block_ms } = await whileAttacked(service, async () => await post(bytes, { times: 4 }));
    t.diagnostic(`blocked for ${block_ms.toFixed(1)} ms`);
    for (const answer of result) assertProblem(answer, 'bad_request', { detail });
  });
}

test('gzip that inflates to more than a hundred times its size is refused on the way', async () => {
  const bomb = zipped(`{"html":"${'x'.repeat(19 * mebibyte)}"}`);
  const { result } = await whileAttacked(service, async () => await post(bomb, { times: 4 }));
  for (const answer of result) {
    assertProblem(answer, 'request_too_large', { detail: /more than 100 times its compressed size/ });
  }
});

test('the panel’s routes are behind the same count', async () => {
  const user = await signIn(service, account, 'developer');
  const answer = await user.post('/v1/private/mail-templates', `{"name":${objects(30_000)}}`);
  assertProblem(answer, 'bad_request', { detail: /more than 20000 values/ });
});

const item = '{"email":7,"name":{},"more":[1,{}]}';
const passing: [what: string, attack: () => Attack][] = [
  ['recipients of the wrong type', () => plain(`{"to":[${'7,'.repeat(19_000)}7]}`)],
  ['recipients that are wrong in every way', () => plain(`{"to":[${`${item},`.repeat(3_000)}${item}]}`)],
  [
    'recipients at different domains',
    () =>
      plain(
        JSON.stringify({ to: Array.from({ length: 6_000 }, (_, at) => ({ email: `a@d${at}.example` })) }),
      ),
  ],
  ['headers of the wrong type', () => plain(`{"headers":${members(1_000)}}`)],
  ['attachments without anything', () => plain(`{"attachments":${objects(19_000)}}`)],
  ['names that differ', () => plain(`[${members(1_000)},${`{"k":${members(990)}},`.repeat(17)}1]`)],
  ['NUL in every text', () => plain(`{"to":[${String.raw`"\u0000",`.repeat(19_000)}1]}`)],
  ['12 MB of escapes', () => plain(`{"html":"${String.raw`\u4e00`.repeat(1_999_000)}"}`)],
  ['20 MB of digits', () => plain(`{"template_id":${'9'.repeat(19 * mebibyte)}}`)],
  ['20 MB of blanks', () => plain(`${' '.repeat(19 * mebibyte)}{}`)],
];
for (const [what, attack] of passing) {
  test(`${what} give a 422 of at most 100 violations, and do not block others`, async (t) => {
    const bytes = attack();
    const { result, block_ms } = await whileAttacked(service, async () => await post(bytes, { times: 4 }));
    t.diagnostic(`blocked for ${block_ms.toFixed(1)} ms`);
    for (const answer of result) {
      assertProblem(answer, 'validation_error');
      assert.ok(answer.json.errors.length > 0 && answer.json.errors.length <= 100);
      assert.ok(answer.text.length < 200_000);
    }
  });
}

test('a name as long as a body does not multiply in the answer', async () => {
  const name = 'n'.repeat(900_000);
  const [answer] = await post(plain(`{"${name}":[${String.raw`"\u0000",`.repeat(1_000)}1]}`));
  assert.ok(answer);
  assertProblem(answer, 'validation_error');
  assert.ok(answer.text.length < 200_000, `${answer.text.length} bytes`);
});

test('the largest send that anybody makes is far from the limits', async () => {
  const to = Array.from({ length: 50 }, (_, index) => ({
    email: `delivered+${index}@sandbox.test`,
    name: `Persona número ${index}`,
  }));
  const body = account.mail({
    to,
    html: Array.from({ length: 4_000 }, (_, at) => `<p class="c">Línea ${at * at} con "texto".</p>\n`).join(
      '',
    ),
    headers: Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`X-Header-${at}`, 'v'.repeat(800)])),
    attachments: Array.from({ length: 20 }, (_, at) => ({
      type: 'application/pdf',
      filename: `file-${at}.pdf`,
      content: Buffer.alloc(20_000, at).toString('base64'),
    })),
  });
  const text = JSON.stringify(body);
  for (const attack of [plain(text), zipped(text)]) {
    const [answer] = await post(attack);
    assert.equal(answer?.status, 200, answer?.text);
  }
});
