import assert from 'node:assert/strict';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { CauseCode } from './causes.ts';

/** As JSON has it. */
export interface Explanation {
  status: number;
  headline: string;
  summary: string;
  cause: { code: CauseCode; side: string };
  advice: string[];
  evidence: { kind: string; at: string; text: string }[];
  next_attempt_at: string | null;
  similar: { destination: string; count_24h: number; same_cause_24h: number };
}

export async function explain({ api }: Tenant, mailId: string, language = 'en'): Promise<Explanation> {
  const answer = await api.get(`/v1/mails/${mailId}/explanation`, { 'accept-language': language });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-language'), language);
  return answer.json as Explanation;
}

/** Waits until the mail is explained by this cause. */
export async function explainedBy(tenant: Tenant, mailId: string, code: CauseCode): Promise<Explanation> {
  let last: Explanation | undefined;
  return await waitFor(
    async () => {
      last = await explain(tenant, mailId);
      return last.cause.code === code && last;
    },
    // Held mail is looked at every five seconds.
    { what: () => `${code}, not ${JSON.stringify(last)}`, timeout_ms: 15_000 },
  );
}

/** The one mail of a message. */
export async function mailOf({ db }: TestService, msgId: string): Promise<string> {
  const [mail] = await db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [msgId]);
  assert.ok(mail);
  return mail.mail_id;
}
