import type { MailLog } from '../../activity/mail-log-schemas.ts';
import { listMailLogs } from '../../activity/mail-logs.ts';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { everyPage } from '../../base/http/every-page.ts';
import { instanceOfMail, mailIdOf } from './explain.ts';
import { withStore } from './with-store.ts';

function describe(logs: MailLog[]): string {
  return table(logs, {
    at: ({ at }) => at,
    event: ({ event }) => event,
    attempt: ({ attempt }) => attempt,
    server: ({ remote_host }) => remote_host,
    code: ({ smtp_code }) => smtp_code,
    reason: ({ reason }) => reason,
    next: ({ next_attempt_at }) => next_attempt_at,
    answer: ({ response, detail }) => response ?? detail,
  });
}

export const logs: Command = {
  name: 'logs',
  arguments: 'MAIL_ID',
  summary: 'Shows everything that happened to a mail, oldest first.',
  options: {},
  example: 'chasqui logs 019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  async run(input) {
    const mail_id = mailIdOf(input);
    const data = await withStore(input.env, async (db) => {
      const instanceId = await instanceOfMail(db, mail_id);
      return await everyPage(async (page) => await listMailLogs(db, instanceId, { mail_id, page }));
    });
    return { text: describe(data), json: { data } };
  },
};
