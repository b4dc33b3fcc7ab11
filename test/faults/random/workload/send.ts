import { createTransport } from 'nodemailer';
import type { Entry } from '../history.ts';
import type { PlannedSend } from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';
import { askAgain } from './ask-again.ts';
import { call, noted, type Call } from './call.ts';
import { bodyOf, html, keyHeader, recipientsOf, requestOf, timeOf } from './mail-body.ts';

const answerWithinMs = 20_000;

export async function send(stage: Stage, planned: PlannedSend, nodes: RandomNode[]): Promise<void> {
  await askAgain(stage, {
    planned,
    nodes,
    ask: async (node, leaves_after_ms) =>
      await (planned.over === 'smtp' ? overSmtp : overHttp)(stage, { ...planned, leaves_after_ms }, node),
    misuse: async (node) => await misuse(stage, planned, node),
  });
}

/** The key of one send with the body of another: refused, since the first one was acknowledged. */
async function misuse(stage: Stage, planned: PlannedSend, node: RandomNode): Promise<void> {
  if (planned.over === 'smtp') return;
  const other = { ...planned, id: `${planned.id}x` };
  await call(stage, {
    ...describe(stage, other),
    kind: 'misuse',
    node,
    method: 'POST',
    path: '/v1/mails/send',
    headers: keyHeader(planned),
    body: bodyOf(stage, other.id, other),
  });
}

async function overHttp(stage: Stage, planned: PlannedSend, node: RandomNode): Promise<Entry> {
  return await call(stage, {
    ...describe(stage, planned),
    node,
    method: 'POST',
    path: '/v1/mails/send',
    headers: keyHeader(planned),
    body: bodyOf(stage, planned.id, planned),
    leaves_after_ms: planned.leaves_after_ms,
  });
}

async function overSmtp(stage: Stage, planned: PlannedSend, node: RandomNode): Promise<Entry> {
  const { account } = stage;
  const [host = '', port = ''] = node.submission.split(':');
  const timeoutMs = planned.leaves_after_ms ?? answerWithinMs;
  const transport = createTransport({
    host,
    port: Number(port),
    ignoreTLS: true,
    auth: { user: account.smtp.username, pass: account.smtp.password },
    connectionTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
  });
  const described = { ...describe(stage, planned), node };
  const entry = await noted(stage, described, async () => {
    try {
      const { response } = await transport.sendMail({
        from: account.senders[planned.sender],
        to: recipientsOf(stage, planned),
        subject: planned.id,
        html,
        headers: {
          'X-Chq-Custom-Msg-Id': planned.id,
          ...(planned.key ? { 'X-Chq-Idempotency-Key': `key-${planned.id}` } : {}),
          ...(planned.group === undefined ? {} : { 'X-Chq-Custom-Group-Code': planned.group }),
          ...(planned.category === undefined ? {} : { 'X-Chq-Category': planned.category }),
          ...(planned.schedule_at_ms === undefined
            ? {}
            : { 'X-Chq-Schedule-At': timeOf(stage, planned.schedule_at_ms) }),
        },
      });
      const [, message_id] = /queued as (\S+)/.exec(response) ?? [];
      return { status: 250, answer: { message_id }, isAcknowledged: true };
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message: string };
      // A connection that ended has no reply about the message.
      if (responseCode === undefined || responseCode === 421) throw error;
      return { status: responseCode, answer: { code: message }, isAcknowledged: false };
    }
  });
  transport.close();
  return entry;
}

function describe(stage: Stage, planned: PlannedSend): Pick<Call, 'id' | 'kind' | 'request'> {
  const { id, key } = planned;
  return { id, kind: 'send', request: { ...requestOf(stage, id, planned), is_keyed: key !== undefined } };
}
