import type { Queryable } from '../../base/db/database.ts';
import { listComplaints, listRestrictions, listUnsubscribes } from '../../restrictions/list-suppressions.ts';
import { instance, optional, type Command } from '../command.ts';
import { table, type Columns } from '../table.ts';
import { withInstance } from './with-store.ts';

const maxListed = 100;

interface Asked {
  query: { recipient: string | null; page_size: number };
  now: Date;
  timezone: string;
}

interface Listed<Row> {
  what: string;
  list: (db: Queryable, instanceId: number, asked: Asked) => Promise<{ data: Row[] }>;
  columns: Columns<Row>;
}

function listCommand<Row>(name: string, { what, list, columns }: Listed<Row>): Command {
  return {
    name: `${name} list`,
    arguments: '--instance S [--recipient PART]',
    summary: `Lists the last ${maxListed} ${what}, newest first.`,
    options: {
      instance,
      recipient: { type: 'string', about: 'Part of the address.' },
    },
    example: `chasqui ${name} list --instance acme --recipient example.com`,
    async run(input) {
      return await withInstance(input, async (db, { id, timezone }) => {
        const query = { recipient: optional(input, 'recipient') ?? null, page_size: maxListed };
        const { data } = await list(db, id, { query, now: new Date(), timezone });
        return { text: data.length > 0 ? table(data, columns) : `There are no ${what}.`, json: { data } };
      });
    },
  };
}

export const restrictionList = listCommand('restriction', {
  what: 'restrictions',
  list: listRestrictions,
  columns: {
    id: ({ id }) => id,
    created: ({ created_at }) => created_at,
    recipient: ({ recipient }) => recipient,
    reason: ({ reason }) => reason,
    detail: ({ detail }) => detail,
  },
});

export const unsubscribeList = listCommand('unsubscribe', {
  what: 'unsubscribes',
  list: listUnsubscribes,
  columns: {
    mail_id: ({ mail_id }) => mail_id,
    unsubscribed: ({ unsubscribed_at }) => unsubscribed_at,
    recipient: ({ to }) => to,
    method: ({ method }) => method,
    resubscribed: ({ resubscribed_at }) => resubscribed_at,
    reason: ({ reason }) => reason,
  },
});

export const complaintList = listCommand('complaint', {
  what: 'complaints',
  list: listComplaints,
  columns: {
    mail_id: ({ mail_id }) => mail_id,
    complained: ({ complained_at }) => complained_at,
    recipient: ({ to }) => to,
    type: ({ type }) => type,
    comment: ({ comment }) => comment,
  },
});
