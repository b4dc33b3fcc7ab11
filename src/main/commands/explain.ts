import { requireMailId } from '../../activity/index.ts';
import { Problem } from '../../base/errors/problem.ts';
import { languages } from '../../base/http/preferred-language.ts';
import type { Database } from '../../base/db/database.ts';
import { explainMail } from '../../explain/explain-mail.ts';
import type { Explanation } from '../../explain/explanation-schemas.ts';
import { choice, wordOf, type Command, type CommandInput } from '../command.ts';
import { withStore } from './with-store.ts';

/** No instance keeps mail for longer. */
const longestRetentionMonths = 120;

/** The one word of the command. */
export function mailIdOf(input: CommandInput): string {
  return requireMailId(wordOf(input, 'the id of the mail'), new Date(), longestRetentionMonths);
}

/** An operator may look at mail of every instance. */
export async function instanceOfMail(db: Database, mailId: string): Promise<number> {
  const [mail] = await db.query<{ instance_id: number }>('select instance_id from mails where mail_id = $1', [
    mailId,
  ]);
  if (!mail) throw new Problem('mail_not_found');
  return mail.instance_id;
}

function describe({ headline, summary, cause, advice, evidence, similar }: Explanation): string {
  return [
    headline,
    '',
    summary,
    ...(advice.length === 0 ? [] : ['', ...advice.map((act) => `  - ${act}`)]),
    '',
    ...evidence.map(({ at, text }) => `${at.toISOString()}  ${text}`),
    '',
    `cause ${cause.code}, side ${cause.side}; ${similar.destination} in 24 hours: ${similar.count_24h} mails, ${similar.same_cause_24h} with the same cause`,
  ].join('\n');
}

export const explain: Command = {
  name: 'explain',
  arguments: 'MAIL_ID [--language L]',
  summary: 'Tells why a mail did or did not arrive, and what to do.',
  options: { language: { type: 'string', about: `One of ${languages.join(', ')} (default en).` } },
  example: 'chasqui explain 019a84f2-7c00-7000-8000-2f6d1c3b5a7a --language es',
  async run(input) {
    const language = choice(input, 'language', languages) ?? 'en';
    const mail_id = mailIdOf(input);
    const explanation = await withStore(input.env, async (db, { config: { platform_domain } }) => {
      const instanceId = await instanceOfMail(db, mail_id);
      return await explainMail(db, instanceId, { mail_id, language, platform_domain });
    });
    return { text: describe(explanation), json: explanation };
  },
};
