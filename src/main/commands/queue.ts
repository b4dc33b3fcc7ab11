import { getInstance } from '../../instances/instances.ts';
import { pauseDestination, resumeDestination, retryQueue } from '../../queue/change-queue.ts';
import type { Queue } from '../../queue/queue-schemas.ts';
import { listQueuedInstances, viewQueue } from '../../queue/queue-view.ts';
import { instance, optional, required, type Command } from '../command.ts';
import { changeInstance, operator, withStore } from './with-store.ts';

const destination = { type: 'string', about: 'Domain of the recipients.' } as const;

function describe(slug: string, view: Queue): string {
  const due = view.oldest_due_at?.toISOString() ?? '-';
  const about = view.is_exact ? '' : 'at least ';
  const lines = view.destinations.map((lane) =>
    [
      `  ${String(lane.mails).padStart(7)}  ${lane.destination.padEnd(32)}`,
      `next ${lane.next_due_at.toISOString()}`,
      `attempts ${lane.attempts}`,
      lane.last_error ?? '',
      lane.is_paused ? 'PAUSED' : '',
    ]
      .filter(Boolean)
      .join('  '),
  );
  const listed = new Set(view.destinations.map((lane) => lane.destination));
  const idle = view.paused.filter((lane) => !listed.has(lane.destination));
  return [
    `${slug}: ${about}${view.depth} mails, ${view.held} of them held, first due ${due}`,
    ...lines,
    ...idle.map((lane) => `        0  ${lane.destination.padEnd(32)}  PAUSED`),
  ].join('\n');
}

export const queueShow: Command = {
  name: 'queue show',
  arguments: '[--instance S]',
  summary: 'Shows what waits to be delivered, by destination, and what went wrong.',
  options: {
    instance: { type: 'string', about: 'Slug of the instance (default all that have mail waiting).' },
  },
  example: 'chasqui queue show --instance acme',
  async run(input) {
    return await withStore(input.env, async (db) => {
      const slug = optional(input, 'instance');
      const instances = slug === undefined ? await listQueuedInstances(db) : [await getInstance(db, slug)];
      const data: (Queue & { instance: string })[] = [];
      for (const { id, slug: name } of instances) data.push({ instance: name, ...(await viewQueue(db, id)) });
      const text = data.map(({ instance: name, ...view }) => describe(name, view)).join('\n');
      return { text: text || 'The queue is empty.', json: { data } };
    });
  },
};

export const queueRetry: Command = {
  name: 'queue retry',
  arguments: '--instance S [--destination D]',
  summary: 'Makes mail due now that waits for its next attempt.',
  options: { instance, destination: { ...destination, about: 'Domain of the recipients (default all).' } },
  example: 'chasqui queue retry --instance acme --destination example.com',
  async run(input) {
    const retry = { destination: optional(input, 'destination'), actor: operator };
    const result = await changeInstance(input, async (tx, { id }) => await retryQueue(tx, id, retry));
    const more = result.has_more ? ' There are more: run it again.' : '';
    return { text: `${result.retried} mails are due now.${more}`, json: result };
  },
};

function destinationCommand(verb: string, summary: string, change: typeof pauseDestination): Command {
  return {
    name: `queue ${verb}`,
    arguments: '--instance S --destination D',
    summary,
    options: { instance, destination },
    example: `chasqui queue ${verb} --instance acme --destination example.com`,
    async run(input) {
      const wanted = { destination: required(input, 'destination'), actor: operator };
      const state = await changeInstance(input, async (tx, { id }) => await change(tx, id, wanted));
      return { text: `${state.destination} is ${state.is_paused ? '' : 'not '}paused.`, json: state };
    },
  };
}

export const queuePause = destinationCommand(
  'pause',
  'Stops delivery of an instance to a destination, on every node.',
  pauseDestination,
);
export const queueResume = destinationCommand('resume', 'Ends a pause.', resumeDestination);
