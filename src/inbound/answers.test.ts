import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { domain, startInboundBed, tokens, type InboundBed } from './inbound-bed.fixture.ts';

let bed: InboundBed;
before(async () => {
  bed = await startInboundBed();
});
after(async () => await bed.stop());

function answerOf(text: string, more: string[] = []): string {
  const head = ['From: Ana <ana@example.net>', 'Subject: Re: Hola', 'Message-ID: <1@example.net>', ...more];
  return `${head.join('\r\n')}\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`;
}

const quoted = '\n\nOn Mon, Nov 3, 2025 at 10:15 AM Shop <hi@shop.example> wrote:\n\n> Hola\n';

interface Parsed {
  id: string;
  text_reply: string | null;
  text_reply_confidence: number | null;
  in_reply_to_mail_id: string | null;
  route_id: number | null;
}

async function received(mailId: string): Promise<Parsed> {
  let row: Parsed | undefined;
  const isParsed = async (): Promise<boolean> => {
    [row] = await bed.service.db.query<Parsed & Record<string, unknown>>(
      `select id, text_reply, text_reply_confidence, in_reply_to_mail_id, route_id from received_mails where in_reply_to_mail_id = $1`,
      [mailId],
    );
    return row !== undefined;
  };
  await waitFor(isParsed, { what: 'the parsed answer' });
  return row as Parsed;
}

test('an answer by token needs no route, and its withdrawal is offered; a forged token is not an address', async () => {
  const mail_id = await bed.sentMail('ana@example.net');
  const to = `reply+${tokens.make('reply', mail_id)}@${domain}`;
  assert.match(await bed.hand(to, answerOf(`Baja, por favor.${quoted}`), 'ana@example.net'), /^250 /);
  const { id, text_reply, text_reply_confidence, route_id } = await received(mail_id);
  assert.deepEqual([text_reply, text_reply_confidence, route_id], ['Baja, por favor.', 1, null]);
  const { json } = await bed.tenant.api.get(`/v1/reply-withdrawals?received_mail_id=${id}`);
  assert.deepEqual(
    json.data.map(({ words, language, is_authentic, state }: Record<string, unknown>) => [
      words,
      language,
      is_authentic,
      state,
    ]),
    [['baja', 'es', false, 'offered']],
  );
  const forged = `reply+${tokens.make('bounce', mail_id)}@${domain}`;
  assert.match(await bed.hand(forged, answerOf('x'), 'ana@example.net'), /^550 5\.1\.1/);
  assert.match(await bed.hand(to.replace(domain, 'other.example.test'), answerOf('x')), /^550 5\.1\.1/);
});

test('an answer of a program, or of somebody else, offers no withdrawal', async () => {
  for (const [more, from] of [
    [['Auto-Submitted: auto-replied'], 'ana@example.net'],
    [[], 'mallory@example.net'],
  ] as const) {
    const mail_id = await bed.sentMail('ana@example.net');
    const to = `reply+${tokens.make('reply', mail_id)}@${domain}`;
    await bed.hand(to, answerOf('unsubscribe', [...more]).replace('ana@example.net', from), from);
    const { id } = await received(mail_id);
    const { json } = await bed.tenant.api.get(`/v1/reply-withdrawals?received_mail_id=${id}`);
    assert.deepEqual(json.data, []);
  }
});
