import { createProcessPool, JobLimit } from '../../base/processes/process-pool.ts';
import { endOfHeader } from '../../protocol/mime/header-block.ts';
import type { LookUp } from '../authentication/mailauth-resolver.ts';
import { parseMail, type Parsed, type ParseTask } from './parse-mail.ts';
import type { ProcessTask } from './parse-process.ts';

interface ParserOptions {
  /** Of small mail, in this process. */
  lookUp: LookUp;
  /** For the processes. */
  dns: Pick<ProcessTask, 'dns_servers' | 'dns_timeout_ms'>;
  max_ms?: number;
  max_megabytes?: number;
}

/** The message took more than parsing may: it is kept, and can be parsed again. */
export class Unparseable extends Error {}

export interface MailParser {
  parse(instanceId: number, task: ParseTask): Promise<Parsed>;
  stop(): void;
}

/** What is smaller takes a few milliseconds whatever is in it. Nearly all mail is. */
export const smallBytes = 256 * 1024;
const smallHeaderBytes = 32 * 1024;

/**
 * Small mail is parsed in this process. What is large, or has a large header, goes to processes that are killed when a message takes
 * too much time or memory, and that instances share fairly.
 */
export function createMailParser({
  lookUp,
  dns,
  max_ms = 10_000,
  max_megabytes = 512,
}: ParserOptions): MailParser {
  const pool = createProcessPool({
    module: new URL('parse-process.ts', import.meta.url),
    max_ms,
    quick_ms: Math.min(1_000, max_ms),
    isSmall: ({ task }: ProcessTask) => task.raw.length <= 4 * smallBytes,
    max_megabytes,
    idle_ms: 60_000,
    max_waiting: 100,
  });
  return {
    async parse(instanceId, task) {
      if (isSmall(task.raw)) return await parseMail(task, lookUp);
      try {
        return (await pool.run(instanceId, { task, ...dns } satisfies ProcessTask)) as Parsed;
      } catch (error) {
        if (error instanceof JobLimit) throw new Unparseable(error.message);
        throw error;
      }
    },
    stop: () => pool.stop(),
  };
}

function isSmall(raw: Buffer): boolean {
  return raw.length <= smallBytes && endOfHeader(raw.subarray(0, smallHeaderBytes)) < smallHeaderBytes;
}
