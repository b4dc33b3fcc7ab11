import assert from 'node:assert/strict';
import { test } from 'node:test';
import { youngSurvivors } from '../../test/support/young-survivors.ts';
import type { Queryable } from '../base/db/database.ts';
import { RootSecret } from '../base/secrets.ts';
import { MailTokens } from '../mails/index.ts';
import type { TemplateRenderer } from '../templates/index.ts';
import { TrackingTokens } from '../track/index.ts';
import { createMessageBuilder } from './build-message.ts';
import type { DueMail } from './load-batch.ts';

const secret = new RootSecret('a secret of this test');
/** Nothing is loaded: the messages are here. */
const db: Queryable = { query: async () => await Promise.reject(new Error('there is no database')) };
const build = createMessageBuilder({
  db,
  tokens: new MailTokens(secret),
  tracking: new TrackingTokens(secret),
  renderer: {} as TemplateRenderer,
  base_url: 'http://localhost:8080',
  hostname: 'mx.example.com',
});

function mailOf(mail_id: string): DueMail {
  const envelope = { from: { address: 'a@example.com' }, to: [], cc: [], subject: 'Statement', headers: [] };
  const html = Buffer.from(`<p>${`${mail_id} lorem ipsum dolor sit amet. `.repeat(40)}</p>`);
  const message = {
    msg_id: mail_id,
    source: 'http',
    stream: 'transactional',
    content_kind: 'parts',
    envelope,
  };
  return {
    mail_id,
    recipient: 'b@example.com',
    received_at: new Date(),
    message: {
      ...message,
      size_bytes: html.length,
      html,
      text: null,
      raw: null,
      variables: null,
      attachments: [],
      domain: 'example.com',
    },
  } as unknown as DueMail;
}

test('messages that were built do not outlive young collections', async () => {
  const buildMany = async (): Promise<void> => {
    for (let each = 0; each < 1_500; each += 1) await build(mailOf(crypto.randomUUID()));
  };
  await buildMany();
  assert.ok((await youngSurvivors(buildMany)) < 0.04);
});

test('recipients of a message share what was built of it', async () => {
  const first = mailOf(crypto.randomUUID());
  const second = { ...first, mail_id: crypto.randomUUID(), recipient: 'c@example.com' };
  const [one, two] = await Promise.all([build(first), build(second)]);
  assert.equal(one.body[0], two.body[0]);
  assert.notDeepEqual(one.header, two.header);
});
