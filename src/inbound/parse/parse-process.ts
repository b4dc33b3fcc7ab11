import { answerParent } from '../../base/processes/answer-parent.ts';
import { createResolver } from '../../protocol/dns/client/resolver.ts';
import { lookUpWith } from '../authentication/mailauth-resolver.ts';
import { parseMail, type Parsed, type ParseTask } from './parse-mail.ts';

/** What a process gets: buffers arrive as plain arrays of octets. */
export interface ProcessTask {
  task: Omit<ParseTask, 'raw'> & { raw: Uint8Array };
  dns_servers: string[];
  dns_timeout_ms: number;
}

/** Worker process that parses large mail, and is killed when that takes too much time or memory. */
answerParent(async ({ task, dns_servers, dns_timeout_ms }: ProcessTask): Promise<Parsed> => {
  const { raw } = task;
  const resolver = createResolver({ servers: dns_servers, timeout_ms: dns_timeout_ms });
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  return await parseMail({ ...task, raw: octets }, lookUpWith(resolver));
});
