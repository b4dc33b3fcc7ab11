import type { DataResult } from './data-reader.ts';
import type { ReceivedMessage, SmtpHandlers } from './handlers.ts';
import { defaultLimits } from './limits.ts';
import type { SmtpEvent } from './log.ts';
import { formatReply } from './reply.ts';
import { Session } from './session.ts';
import type { SessionOptions } from './session-state.ts';

export const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', servername: undefined };
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const plain = (text: string): string => `AUTH PLAIN ${base64(text)}`;

export interface Setup extends Partial<Omit<SessionOptions<string>, 'handlers'>> {
  handlers?: Partial<SmtpHandlers<string>>;
  encrypted?: boolean;
  address?: string;
}

export interface Dialogue {
  session: Session<string>;
  events: SmtpEvent[];
  messages: ReceivedMessage<string>[];
  /** Says the lines one after another and gives the last answer as it is sent. */
  say: (...lines: (string | Buffer)[]) => Promise<string>;
  message: (result?: Partial<DataResult>) => Promise<string>;
}

export function begin({
  encrypted = false,
  address = '192.0.2.7',
  handlers = {},
  ...options
}: Setup = {}): Dialogue {
  const events: SmtpEvent[] = [];
  const messages: ReceivedMessage<string>[] = [];
  const session = new Session<string>({
    name: 'mx.example',
    session: {
      id: 1,
      peer: { address, port: 9 },
      tls: encrypted ? tls : undefined,
      helo: '',
      protocol: 'SMTP',
    },
    start_tls: true,
    require_auth: false,
    allow_plaintext_auth: false,
    max_message_bytes: 1000,
    max_recipients: 2,
    limits: defaultLimits,
    log: (event) => events.push(event),
    ...options,
    handlers: {
      onAuth: ({ username, password }) =>
        password === 'secret' ? { ok: true, user: username } : { ok: false },
      onMessage: (message) => {
        messages.push({ ...message, session: { ...message.session } });
        return { code: 250, enhanced: '2.0.0', text: 'queued' };
      },
      ...handlers,
    },
  });
  return {
    session,
    events,
    messages,
    async say(...lines) {
      let last = '';
      for (const line of lines) {
        const { next, ...reply } = await session.handle(line);
        last = `${formatReply(reply).trimEnd()}${next === 'line' ? '' : ` [${next}]`}`;
      }
      return last;
    },
    async message(result = {}) {
      const data = [Buffer.from('Subject: x\r\n')];
      const { next, ...reply } = await session.message({ data, size: 12, fault: undefined, ...result });
      return `${formatReply(reply).trimEnd()}${next === 'line' ? '' : ` [${next}]`}`;
    },
  };
}

export const ehlo = 'EHLO client.example';
export const mail = 'MAIL FROM:<a@a.example>';
export const rcpt = 'RCPT TO:<b@b.example>';
