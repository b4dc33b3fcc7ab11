import { open } from 'node:fs/promises';
import type { BatchResult } from '../../accept/accept-batch.ts';
import type { Acceptance } from '../../accept/accept-mail.ts';
import { batchLimits } from '../../accept/batch-schema.ts';
import { readBatch } from '../../accept/read-batch.ts';
import { systemClock } from '../../base/clock.ts';
import { Problem } from '../../base/errors/problem.ts';
import { choice, instance, wordOf, type Command, type CommandInput } from '../command.ts';
import { commandAcceptance } from './command-acceptance.ts';
import { keyedCommand } from './keyed-command.ts';
import { withInstance } from './with-store.ts';

export const sendBatch: Command = {
  name: 'send batch',
  arguments: '--instance S FILE [--on-error skip|reject] [--idempotency-key K]',
  summary: 'Sends the mails of a file, one JSON object a line, each as the body of a single send.',
  options: {
    instance,
    'on-error': {
      type: 'string',
      about: 'skip (default) sends the others; reject sends none of the 500 lines that it is among.',
    },
    'idempotency-key': {
      type: 'string',
      about: 'A second call with the same key and file within 24 hours sends nothing.',
    },
  },
  example: 'chasqui send batch --instance demo reminders.jsonl --idempotency-key reminders-2026-08-01',
  async run(input) {
    const path = wordOf(input, 'the path of the file');
    return await withInstance(input, async (_db, { id, retention_months }, context) => {
      const acceptance = await commandAcceptance(context);
      const results: Line[] = [];
      for await (const lines of batchesOf(path)) {
        results.push(
          ...(await acceptLines(
            { input, acceptance, instance_id: id, retention_months },
            lines,
            results.length,
          )),
        );
      }
      const accepted = results.filter(({ message_id }) => message_id !== undefined).length;
      const refused = results.filter(({ error }) => error !== undefined);
      const text = [
        `${accepted} accepted, ${refused.length} refused`,
        ...refused.map(({ line, error }) => `  line ${line}: ${error ?? ''}`),
      ];
      return { text: text.join('\n'), json: { data: results } };
    });
  },
};

interface Line {
  line: number;
  message_id?: string;
  error?: string;
}

/** As many lines as one call takes, so that memory does not grow with the file. */
async function* batchesOf(path: string): AsyncGenerator<string[]> {
  await using file = await open(path);
  let lines: string[] = [];
  for await (const line of file.readLines()) {
    if (line.trim() === '') continue;
    lines.push(line);
    if (lines.length < batchLimits.mails) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}

interface Accepting {
  input: CommandInput;
  acceptance: Acceptance;
  instance_id: number;
  retention_months: number;
}

async function acceptLines(
  { input, acceptance, instance_id, retention_months }: Accepting,
  lines: string[],
  before: number,
): Promise<Line[]> {
  const describe = (result: BatchResult, index: number): Line => {
    const line = before + index + 1;
    return result instanceof Problem
      ? { line, error: reasonOf(result) }
      : { line, message_id: result.msg_id };
  };
  const refusal = (problems: (Problem | undefined)[]): Error => {
    const reasons = problems.flatMap((problem, index) => {
      const { line, error = '' } = describe(problem ?? { msg_id: '' }, index);
      return problem ? [`line ${line}: ${error}`] : [];
    });
    return new Error(reasons.join('\n'));
  };
  const keyed = keyedCommand(input, { instance_id, operation: 'batch', content: lines.join('\n') });
  const { answer } = await acceptance.acceptBatch({
    instance_id,
    mails: await readBatch(lines.map(parse), { instance_id, retention_months, now: systemClock.now() }),
    refuse: choice(input, 'on-error', ['skip', 'reject']) === 'reject' ? refusal : undefined,
    // Each call has a key of its own, by its first line.
    keyed: keyed && { ...keyed, key: `${keyed.key}/${before}` },
    answerTo: (results) => results.map(describe),
  });
  return answer;
}

/** What is not JSON is refused as what it is: a text. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function reasonOf({ code, message, facts }: Problem): string {
  const rules = facts.errors?.map((each) => `${each.pointer || '/'} ${each.message}`).join('; ');
  return `${code}: ${rules ?? message}`;
}
