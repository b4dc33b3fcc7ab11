import { isIP } from 'node:net';
import type { Capabilities } from './capabilities.ts';
import type { Channel, Failure } from './channel.ts';
import { isPositive, isRefusal, replyOutcome, type Reply } from './reply.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** The server wants to hear more (RFC 4954 §4). */
const goOn = 334;

/** Signs in by PLAIN or LOGIN, whichever the server offers; undefined when it agreed. */
export async function authenticate(
  channel: Channel,
  capabilities: Capabilities,
  { username, password }: Credentials,
): Promise<Failure | undefined> {
  const mechanisms = capabilities.mechanisms;
  const answers = mechanisms.has('PLAIN')
    ? [`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`]
    : ['AUTH LOGIN', base64(username), base64(password)];
  if (!mechanisms.has('PLAIN') && !mechanisms.has('LOGIN')) {
    return {
      kind: 'protocol',
      phase: 'auth',
      message: 'the server offers neither AUTH PLAIN nor AUTH LOGIN',
    };
  }
  for (const [index, answer] of answers.entries()) {
    const { replies, failure } = await channel.exchange(['auth'], `${answer}\r\n`);
    const [reply] = replies;
    if (reply === undefined) return failure ?? { kind: 'protocol', phase: 'auth', message: 'no reply' };
    const isLast = index === answers.length - 1;
    if (isLast ? !isPositive(reply) : reply.code !== goOn) return refused(reply);
  }
  return undefined;
}

function refused(reply: Reply): Failure {
  if (isRefusal(reply)) return replyOutcome(reply, 'auth');
  return { kind: 'protocol', phase: 'auth', message: `unexpected reply: ${reply.code}` };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Whether unencrypted traffic stays on this machine. */
export function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : /^(?:::1|::ffff:127\..*)$/i.test(address);
}
