import type { MailRecord } from '../../api/operations.ts';

type Chosen = Pick<MailRecord, 'mail_id' | 'msg_id' | 'to' | 'status'>;

/** What of the chosen mails can be retried, cancelled and restricted. A cancellation is of a whole message. */
export function chosenOf(rows: Chosen[]): { waiting: string[]; messages: string[]; recipients: string[] } {
  const unique = (values: (string | null)[]): string[] =>
    [...new Set(values)].filter((each) => each !== null);
  return {
    waiting: rows.filter(({ status }) => status === 2 || status === 5).map(({ mail_id }) => mail_id),
    messages: unique(rows.filter(({ status }) => status === 2 || status === 7).map(({ msg_id }) => msg_id)),
    recipients: unique(rows.map(({ to }) => to)),
  };
}
