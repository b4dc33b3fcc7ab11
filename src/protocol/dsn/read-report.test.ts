import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { classifyFailure } from './classify-failure.ts';
import { message, report, returned } from './message.fixture.ts';
import { proseBounces } from './prose-bounces.fixture.ts';
import { readReport } from './read-report.ts';
import type { ReportedRecipient } from './report.ts';
import { standardBounces } from './standard-bounces.fixture.ts';

/** A recipient in the words of the fixtures. */
function say(recipient: ReportedRecipient): string {
  const { action, status = '-', smtp_code = '-', final_recipient = '-', remote_mta = '-' } = recipient;
  const { type, reason } = classifyFailure(recipient);
  const judged = action === 'failed' ? `${type} ${reason} ` : '';
  return `${action} ${status} ${smtp_code} ${judged}${final_recipient} ${remote_mta}`;
}

const bounces = [...standardBounces, ...proseBounces];

for (const { name, raw, expected } of bounces) {
  test(`bounce, ${name}`, () => {
    const read = readReport(raw);
    assert.equal(read.kind, 'bounce');
    assert.deepEqual(read.kind === 'bounce' && read.recipients.map(say), expected);
  });
}

test('a report is read the same whatever follows it, and whichever way its lines end', () => {
  const tail = Buffer.concat([Buffer.from('\r\n'), Buffer.alloc(9_000_000, 'x')]);
  for (const { name, raw } of bounces) {
    assert.deepEqual(readReport(Buffer.concat([raw, tail])).kind, 'bounce', name);
    assert.deepEqual(readReport(Buffer.from(raw.toString().replaceAll('\r\n', '\n'))), readReport(raw), name);
  }
});

test('a reply is kept in one line, without the codes of its lines', () => {
  const [gmail] = standardBounces;
  const read = readReport(gmail?.raw ?? Buffer.alloc(0));
  assert.equal(
    read.kind === 'bounce' && read.recipients[0]?.diagnostic,
    "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser a1-20020a05 - gsmtp",
  );
});

const answers: [what: string, header: string, body: string][] = [
  [
    'Outlook, out of office',
    'From: Ana <ana@example.net>\nSubject: Automatic reply: Hola',
    'I am away until Monday.',
  ],
  ['Gmail, vacation', 'From: ana@gmail.com\nAuto-Submitted: auto-replied\nSubject: Re: Hola', 'On vacation.'],
  ['vacation(1)', 'From: ana@example.net\nPrecedence: bulk\nSubject: away from my mail', 'I am away.'],
  ['cPanel', 'From: ana@example.net\nX-Autorespond: Hola\nSubject: Hola', 'Gracias'],
  ['in Spanish', 'From: ana@example.net\nSubject: =?UTF-8?Q?Respuesta_autom=C3=A1tica:_Hola?=', 'Fuera.'],
  ['in German', 'From: ana@example.net\nSubject: Abwesenheitsnotiz: Hallo', 'Ich bin nicht da.'],
  [
    'who has left, in words of a bounce',
    'From: postmaster@example.net\nSubject: Out of Office: Undeliverable mail',
    'ana@example.net: 550 5.1.1 User unknown, could not be delivered. She has left.',
  ],
];

for (const [what, header, body] of answers) {
  test(`an answer of a program is not a bounce: ${what}`, () => {
    assert.equal(readReport(message(header, body)).kind, 'auto_reply');
  });
}

test('a receipt is not a bounce', () => {
  const parts = [
    ['text/plain', 'Your message was displayed.'],
    [
      'message/disposition-notification',
      'Final-Recipient: rfc822;ana@example.net\nDisposition: manual-action/MDN-sent-manually; displayed',
    ],
  ] as const;
  const raw = report('From: ana@example.net\nSubject: Read: Hola', parts, 'disposition-notification');
  assert.equal(readReport(raw).kind, 'auto_reply');
});

test('a message of a person is not a report, even when it quotes a bounce', () => {
  const header = 'From: Ana <ana@example.net>\nSubject: Re: Hola';
  assert.equal(readReport(message(header, 'Thank you!')).kind, 'other');
  const quoting = 'See what I got:\n\n> <eva@example.net>: 550 5.1.1 User unknown, could not be delivered';
  assert.equal(readReport(message(header, quoting)).kind, 'other');
  assert.equal(
    readReport(message('From: postmaster@example.net\nSubject: Hello', 'Just a word.')).kind,
    'other',
  );
  assert.equal(readReport(Buffer.alloc(0)).kind, 'other');
});

/** The fixtures with pieces removed, doubled, swapped and overwritten. */
function* mangled(count: number): Generator<Buffer> {
  const { random, below } = dice(20_260_714);
  for (let round = 0; round < count; round += 1) {
    const raw = Buffer.from(bounces[below(bounces.length)]?.raw ?? []);
    const [from, to] = [below(raw.length), below(raw.length)].toSorted((a, b) => a - b) as [number, number];
    const choice = random();
    if (choice < 0.3) yield Buffer.concat([raw.subarray(0, from), raw.subarray(to)]);
    else if (choice < 0.5) yield Buffer.concat([raw.subarray(0, to), raw.subarray(from)]);
    else if (choice < 0.7) yield raw.subarray(from, to);
    else {
      for (let hits = below(30); hits > 0; hits -= 1) raw[below(raw.length)] = below(256);
      yield raw;
    }
  }
}

function dice(seed: number) {
  const random = seededRandom(seed);
  return { random, below: (most: number) => Math.floor(random() * most) };
}

test('any input is read without an error and within its bounds', () => {
  for (const raw of mangled(3_000)) {
    const read = readReport(raw);
    if (read.kind !== 'bounce') continue;
    assert.ok(read.recipients.length <= 50);
    for (const recipient of read.recipients) {
      assert.ok((recipient.diagnostic?.length ?? 0) <= 1_000);
      assert.ok(['hard', 'soft', 'block'].includes(classifyFailure(recipient).type));
    }
  }
});

test('reading takes time in proportion to the message, whatever is repeated in it', () => {
  const daemon = 'From: MAILER-DAEMON@example.net\nSubject: Undelivered Mail\n';
  const type = (value: string): string => `${daemon}Content-Type: ${value}\n\n`;
  const status = `${type('multipart/report; boundary=b')}--b\nContent-Type: message/delivery-status\n\n`;
  const repeated: [string, string][] = [
    [daemon + '\n', '\n'],
    [daemon + '\n', ' '],
    [daemon + '\n', 'a@a '],
    [daemon + '\n', '<a@a.example>:\n\n'],
    [daemon + '\n', 'failfail'],
    [daemon + '\n', 'deliver '],
    [daemon + '\n', '550 '],
    [daemon + '\n', '5.1.1 '],
    [daemon, 'a: b\n'],
    [daemon + 'a:', '\n b'],
    [daemon + 'Content-Type: multipart/mixed', ';a="'],
    [daemon + 'Subject: ', '=?UTF-8?Q?a?= '],
    [type('text/html'), '<a '],
    [type('text/html'), '&#'],
    [type('multipart/mixed; boundary=b'), '--b\n'],
    [type('multipart/mixed; boundary=b'), '--b\nContent-Type: multipart/mixed; boundary=b\n\n'],
    [status, '\n'],
    [status, 'Final-Recipient: rfc822;a@a\n\n'],
    [status, 'Diagnostic-Code: smtp; 550\n 550-5.1.1 '],
  ];
  for (const [head, unit] of repeated) {
    const raw = Buffer.concat([Buffer.from(head), Buffer.alloc(5_000_000, unit)]);
    const start = process.cpuUsage();
    const read = readReport(raw);
    if (read.kind === 'bounce') read.recipients.forEach((recipient) => classifyFailure(recipient));
    const { user } = process.cpuUsage(start);
    assert.ok(user < 1_000_000, `${JSON.stringify(unit)} took ${user} µs`);
  }
});

test('the mail that came back has no say', () => {
  for (const { name, raw } of bounces) {
    const read = readReport(raw);
    const words = read.kind === 'bounce' ? read.recipients.map(({ diagnostic }) => diagnostic).join() : '';
    assert.ok(!words.includes('this is what the mail itself said'), name);
  }
  assert.ok(returned.includes('550 5.1.1 this is what the mail itself said'));
});
