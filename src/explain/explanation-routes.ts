import { Type } from 'typebox';
import { requireMailId } from '../activity/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, Reply, type Operation } from '../base/http/operation.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { explainMail } from './explain-mail.ts';
import { Explanation, explanationExample } from './explanation-schemas.ts';

interface ExplanationContext {
  db: Database;
  clock: Clock;
  platform_domain: string;
}

export function explanationRoutes({ db, clock, platform_domain }: ExplanationContext): Operation[] {
  return [
    operation({
      id: 'explain_mail',
      method: 'GET',
      path: '/v1/mails/{mail_id}/explanation',
      tag: 'Mails',
      summary: 'Explain a mail',
      description:
        'Why a mail did or did not arrive, whose matter it is and what to do, in plain words: English, or Spanish by `Accept-Language`. Made by rules from its log, its place in the queue, the sender’s domain, consent and suppressions.',
      access: { kind: 'api_key', scope: 'mail:read' },
      params: Type.Object({
        mail_id: Type.String({
          description: 'Identifier of the mail.',
          examples: [explanationExample.mail_id],
        }),
      }),
      success: {
        status: 200,
        description: 'The explanation.',
        schema: Explanation,
        example: explanationExample,
      },
      errors: ['mail_not_found', 'mail_outside_retention', 'search_timeout'],
      handle: async (call) => {
        const { instance } = call.caller;
        const mail_id = requireMailId(call.params.mail_id, clock.now(), instance.retention_months);
        const language = preferredLanguage(call.header('accept-language'));
        const explanation = await explainMail(db, instance.id, { mail_id, language, platform_domain });
        return new Reply(explanation, { 'content-language': language, vary: 'accept-language' });
      },
    }),
  ];
}
