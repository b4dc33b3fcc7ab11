import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSubmission } from './read-submission.ts';

const submission = (...lines: string[]) => ({
  instance_id: 1,
  raw: Buffer.from([...lines, '', 'Hello', ''].join('\r\n')),
  recipients: [{ address: 'ana@example.com', domain: 'example.com' }],
  attachment_limit_bytes: 1024 * 1024,
});

test('what encoded words smuggle into names and subject becomes blanks, which can be stored', () => {
  const draft = readSubmission(
    submission(
      'From: =?utf-8?q?A=00B?= <hola@example.com>',
      'To: =?utf-8?q?C=0D=0AD?= <ana@example.com>',
      'Subject: =?utf-8?q?E=00=0AF_=C3=B1?=',
      'X-Chq-Custom-Msg-Id: =?utf-8?q?G=00H?=',
    ),
  );
  assert.ok(draft.kind === 'raw');
  const { from_name, subject, custom_msg_id, recipients } = draft;
  assert.deepEqual([from_name, subject, custom_msg_id], ['A B', 'E  F ñ', 'G H']);
  assert.equal(recipients[0]?.name, 'C  D');
});

/** Octets of the attachments among these parts, beside enough text that they have to be weighed. */
function weigh(...parts: string[]): number {
  const { raw, ...rest } = submission('From: hola@example.com', 'Content-Type: multipart/mixed; boundary=b');
  const text = `--b\r\nContent-Type: text/plain\r\n\r\n${'x\r\n'.repeat(400_000)}`;
  const body = [text, ...parts.map((part) => `--b\r\n${part}`), '--b--'].join('\r\n');
  const draft = readSubmission({ ...rest, raw: Buffer.concat([raw, Buffer.from(body)]) });
  return draft.kind === 'raw' ? draft.attachment_bytes : -1;
}

test('attachments are weighed decoded; neither texts nor pictures inside of them are any', () => {
  const file = `Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa('a'.repeat(999))}`;
  assert.equal(weigh(), 0);
  assert.equal(weigh(`Content-Type: application/pdf\r\n${file}`), 999);
  assert.equal(weigh(`Content-Type: text/plain\r\n${file}`), 999);
  assert.equal(weigh('Content-Type: text/html\r\nContent-Disposition: inline\r\n\r\n<p>'), 0);
  const picture = 'Content-Type: image/png\r\nContent-ID: <a>\r\n\r\n12345';
  assert.equal(weigh(picture), 5);
  assert.equal(weigh(`Content-Type: multipart/related; boundary=c\r\n\r\n--c\r\n${picture}\r\n--c--`), 0);
  assert.equal(weigh(...Array.from({ length: 21 }, () => file)), Number.MAX_SAFE_INTEGER);
});

test('attachments are counted in a light message too', () => {
  const { raw, ...rest } = submission('From: hola@example.com', 'Content-Type: multipart/mixed; boundary=b');
  const count = (number: number, part: string): number => {
    const body = Buffer.from(`${`\r\n--b\r\n${part}`.repeat(number)}\r\n--b--`);
    const draft = readSubmission({ ...rest, raw: Buffer.concat([raw, body]) });
    return draft.kind === 'raw' ? draft.attachment_bytes : -1;
  };
  assert.equal(count(20, 'content-Disposition: attachment\r\n\r\nx'), 0);
  assert.equal(count(21, 'content-Disposition: attachment\r\n\r\nx'), Number.MAX_SAFE_INTEGER);
  assert.equal(count(30, 'Content-Type: text/plain\r\n\r\nx'), 0);
});

test('recipients of the envelope are told apart by who sees them, and each is written to once', () => {
  const { recipients } = readSubmission({
    ...submission(
      'From: hola@example.com',
      'To: Ana <ANA@example.com>, <ana@example.com>',
      'Cc: b@example.com',
    ),
    recipients: ['ana@example.com', 'b@example.com', 'c@example.com', 'Ana@example.com'].map((address) => ({
      address,
      domain: 'example.com',
    })),
  });
  assert.deepEqual(
    recipients.map(({ address, kind, name }) => [address, kind, name]),
    [
      ['ana@example.com', 'to', 'Ana'],
      ['b@example.com', 'cc', undefined],
      ['c@example.com', 'bcc', undefined],
    ],
  );
});

test('a message of line ends alone is read as quickly as any', () => {
  const { raw, ...rest } = submission('From: hola@example.com');
  const start = process.cpuUsage();
  const before = process.memoryUsage().rss;
  readSubmission({ ...rest, raw: Buffer.concat([raw, Buffer.alloc(15_000_000, '\r\n')]) });
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  assert.ok(process.memoryUsage().rss - before < 300_000_000);
});
