import { Type } from 'typebox';
import type { Acceptance } from '../accept/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { Id } from '../base/http/schemas.ts';
import type { RootSecret } from '../base/secrets.ts';
import { actorOf } from '../audit/index.ts';
import type { PlatformMailLimits } from '../limits/index.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { resendConfirmation, submissionOfEvent } from './resend-confirmation.ts';
import { SubmissionTokens } from './submission-token.ts';

interface ConfirmationContext {
  db: Database;
  clock: Clock;
  secret: RootSecret;
  acceptance: Acceptance;
  base_url: string;
  mail_limits: PlatformMailLimits;
}

const access = { kind: 'user', role: 'developer' } as const;
const success = { status: 204, description: 'The mail is on its way.' } as const;

/** Sends the confirmation again. Only the recipient can confirm. */
export function confirmationPanelRoutes(context: ConfirmationContext): Operation[] {
  const { db, clock, secret } = context;
  const whole = { ...context, tokens: new SubmissionTokens(secret), hashes: new ContactHashes(secret) };
  return [
    operation({
      id: 'panel_resend_form_confirmation',
      method: 'POST',
      path: '/v1/private/forms/{id}/submissions/{submission_id}/resend-confirmation',
      tag: 'Forms',
      summary: 'Send the confirmation of a submission again',
      description:
        'While it is pending. The mail is in the language of the caller; its link is the same one.',
      access,
      params: Type.Object({
        id: Id('Identifier of the form.'),
        submission_id: Id('Identifier of the submission.'),
      }),
      success,
      errors: [
        'form_not_found',
        'form_submission_not_found',
        'form_submission_not_pending',
        'confirmation_requires_email',
        'rate_limit_exceeded',
      ],
      handle: async (call) => {
        const { id: form_id, submission_id } = call.params;
        const lang = preferredLanguage(call.header('accept-language'));
        const wanted = { form_id, submission_id, lang, actor: actorOf(call), now: clock.now() };
        await resendConfirmation(whole, call.caller.instance.id, wanted);
      },
    }),
    operation({
      id: 'panel_resend_consent_confirmation',
      method: 'POST',
      path: '/v1/private/consent-events/{id}/resend-confirmation',
      tag: 'Consent',
      summary: 'Send the confirmation of a consent again',
      description: 'While it is pending, and when it was given through a form.',
      access,
      params: Type.Object({ id: Id('Identifier of the consent event.') }),
      success,
      errors: [
        'consent_event_not_found',
        'consent_event_no_submission',
        'consent_event_not_pending',
        'confirmation_requires_email',
        'rate_limit_exceeded',
      ],
      handle: async (call) => {
        const { id: instanceId } = call.caller.instance;
        const found = await submissionOfEvent(db, instanceId, call.params.id);
        const lang = preferredLanguage(call.header('accept-language'));
        await resendConfirmation(whole, instanceId, {
          ...found,
          lang,
          actor: actorOf(call),
          now: clock.now(),
        });
      },
    }),
  ];
}
