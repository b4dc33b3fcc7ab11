import type { Queryable } from '../../base/db/database.ts';
import { getInstance } from '../../instances/instances.ts';
import { listComplaints, listRestrictions, listUnsubscribes } from '../../restrictions/list-suppressions.ts';
import { optional, required, type Command } from '../command.ts';
import { withStore } from './with-store.ts';

const max_listed = 100;

interface Asked {
  query: { recipient: string | null; page_size: number };
  now: Date;
  timezone: string;
}

interface Listed<Row> {
  what: string;
  list: (db: Queryable, instanceId: number, asked: Asked) => Promise<{ data: Row[] }>;
  describe: (row: Row) => (string | null)[];
}

function listCommand<Row>(name: string, { what, list, describe }: Listed<Row>): Command {
  return {
    name: `${name} list`,
    arguments: '--instance S [--recipient PART]',
    summary: `Lists the last ${max_listed} ${what}, newest first.`,
    options: {
      instance: { type: 'string', about: 'Slug of the instance.' },
      recipient: { type: 'string', about: 'Part of the address.' },
    },
    example: `chasqui ${name} list --instance acme --recipient example.com`,
    async run(input) {
      return await withStore(input.env, async (db) => {
        const { id, timezone } = await getInstance(db, required(input, 'instance'));
        const query = { recipient: optional(input, 'recipient') ?? null, page_size: max_listed };
        const { data } = await list(db, id, { query, now: new Date(), timezone });
        const lines = data.map((row) =>
          describe(row)
            .filter((cell) => cell !== null)
            .join('  '),
        );
        return { text: lines.join('\n') || `There are no ${what}.`, json: { data } };
      });
    },
  };
}

export const restrictionList = listCommand('restriction', {
  what: 'restrictions',
  list: listRestrictions,
  describe: ({ created_at, recipient, reason, detail }) => [
    created_at.toISOString(),
    recipient,
    reason,
    detail,
  ],
});

export const unsubscribeList = listCommand('unsubscribe', {
  what: 'unsubscribes',
  list: listUnsubscribes,
  describe: ({ unsubscribed_at, to, method, resubscribed_at, reason }) => [
    unsubscribed_at.toISOString(),
    to,
    method,
    resubscribed_at && `back since ${resubscribed_at.toISOString()}`,
    reason,
  ],
});

export const complaintList = listCommand('complaint', {
  what: 'complaints',
  list: listComplaints,
  describe: ({ complained_at, to, type, comment }) => [
    complained_at?.toISOString() ?? null,
    to,
    type,
    comment,
  ],
});
