import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSubmission } from './read-submission.ts';

const submission = (...lines: string[]) => ({
  instance_id: 1,
  raw: Buffer.from([...lines, '', 'Hello', ''].join('\r\n')),
  recipients: [{ address: 'ana@example.com', domain: 'example.com' }],
  attachment_limit_bytes: 1024 * 1024,
});

test('what encoded words smuggle into names and subject becomes blanks, which can be stored', async () => {
  const draft = await readSubmission(
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
