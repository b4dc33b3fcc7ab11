import { Problem } from '../base/errors/problem.ts';
import type { NewMessage } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import { acceptDrafts, type Entry, messageOf } from './accept-drafts.ts';
import type { KeepAnswer, KeyedCall } from './answer-once.ts';
import type { Drops } from './decide-drops.ts';
import type { Draft } from './draft.ts';

/** What became of one mail of a batch. `drops` has why each recipient of it that is not sent to is not. */
export type BatchResult = { msg_id: string; drops?: Drops; recipients?: number } | Problem;

export interface BatchCall<Answer extends object> {
  instance_id: number;
  /** In the order of the caller; a problem where one could not be read. */
  mails: (Draft | Problem)[];
  /** Given where one refusal refuses the batch, and nothing is stored: makes what is thrown, of the problems by their place. */
  refuse?: ((problems: (Problem | undefined)[]) => Error) | undefined;
  keyed: KeyedCall | undefined;
  /** The answer to the caller, which is stored with the messages. */
  answerTo: (results: BatchResult[]) => Answer;
}

export interface BatchWatcher {
  accepted(draft: Draft, message: NewMessage): void;
  refused(draft: Draft, problem: Problem): void;
}

/** Mails of one call through the steps of a single one. Those that are accepted are committed together. */
export async function acceptBatch<Answer extends object>(
  context: AcceptContext,
  { instance_id, mails, refuse, keyed, answerTo }: BatchCall<Answer>,
  watcher: BatchWatcher,
): Promise<{ answer: Answer; is_replay: boolean }> {
  const requireAll = (results: unknown[]): void => {
    const problems = results.map((result) => (result instanceof Problem ? result : undefined));
    if (refuse && problems.some((problem) => problem)) throw refuse(problems);
  };
  const drafts = mails.filter((mail): mail is Draft => !(mail instanceof Problem));
  const resultsOf = (entries: Entry[]): BatchResult[] => {
    const left = entries.values();
    return mails.map((mail) => (mail instanceof Problem ? mail : resultOf(left.next().value)));
  };
  const keptAnswer = (keep: KeepAnswer) => (entries: Entry[]) => {
    const results = resultsOf(entries);
    return keep(
      answerTo(results),
      results.some((result) => result instanceof Problem),
    );
  };
  return await context.answerOnce(keyed, async (keep) => {
    requireAll(mails);
    const all_or_none = refuse !== undefined;
    const answer = keep && keptAnswer(keep);
    const entries = await acceptDrafts(context, { instance_id, drafts, all_or_none, answer });
    const results = resultsOf(entries);
    requireAll(results);
    for (const entry of entries) {
      if (entry.refusal) watcher.refused(entry.draft, entry.refusal);
      else watcher.accepted(entry.draft, messageOf(entry));
    }
    return answerTo(results);
  });
}

export function resultOf(entry: Entry | undefined): BatchResult {
  return entry?.refusal ?? acceptedOf(messageOf(entry), entry);
}

function acceptedOf({ msg_id, mails }: NewMessage, entry: Entry | undefined): BatchResult {
  return { msg_id, drops: entry?.drops ?? new Map(), recipients: mails.length };
}
