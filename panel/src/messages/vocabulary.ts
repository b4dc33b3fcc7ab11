// oxlint-disable typescript/consistent-type-imports -- Each file would be named twice.
import type { Translation } from './translation.ts';

/** Every set of messages, as English has it: of one page, or of one part that several pages have. */
interface English {
  accept_invitation: typeof import('./en/accept-invitation.ts');
  account: typeof import('./en/account.ts');
  activity: typeof import('./en/activity.ts');
  alerts: typeof import('./en/alerts.ts');
  api_keys: typeof import('./en/api-keys.ts');
  audit: typeof import('./en/audit.ts');
  consent: typeof import('./en/consent.ts');
  consent_evidence: typeof import('./en/consent-evidence.ts');
  consent_term: typeof import('./en/consent-term.ts');
  consent_values: typeof import('./en/consent-values.ts');
  broadcast: typeof import('./en/broadcast.ts');
  broadcast_report: typeof import('./en/broadcast-report.ts');
  broadcasts: typeof import('./en/broadcasts.ts');
  contact: typeof import('./en/contact.ts');
  contacts: typeof import('./en/contacts.ts');
  domain: typeof import('./en/domain.ts');
  domains: typeof import('./en/domains.ts');
  editor: typeof import('./en/editor.ts');
  export_menu: typeof import('./en/export-menu.ts');
  fields: typeof import('./en/fields.ts');
  forgotten_password: typeof import('./en/forgotten-password.ts');
  form: typeof import('./en/form.ts');
  form_submissions: typeof import('./en/form-submissions.ts');
  forms: typeof import('./en/forms.ts');
  mail: typeof import('./en/mail.ts');
  mail_filters: typeof import('./en/mail-filters.ts');
  mail_marks: typeof import('./en/mail-marks.ts');
  mail_status: typeof import('./en/mail-status.ts');
  mails: typeof import('./en/mails.ts');
  message_view: typeof import('./en/message-view.ts');
  operator: typeof import('./en/operator.ts');
  overview: typeof import('./en/overview.ts');
  pages: typeof import('./en/pages.ts');
  parts: typeof import('./en/parts.ts');
  queue: typeof import('./en/queue.ts');
  reasons: typeof import('./en/reasons.ts');
  reset_password: typeof import('./en/reset-password.ts');
  received: typeof import('./en/received.ts');
  rights: typeof import('./en/rights.ts');
  routes: typeof import('./en/routes.ts');
  rights_request: typeof import('./en/rights-request.ts');
  sandbox: typeof import('./en/sandbox.ts');
  sandbox_send: typeof import('./en/sandbox-send.ts');
  senders: typeof import('./en/senders.ts');
  service_words: typeof import('./en/service-words.ts');
  settings: typeof import('./en/settings.ts');
  shell: typeof import('./en/shell.ts');
  sign_in: typeof import('./en/sign-in.ts');
  smtp_credentials: typeof import('./en/smtp-credentials.ts');
  suppressions: typeof import('./en/suppressions.ts');
  team: typeof import('./en/team.ts');
  template: typeof import('./en/template.ts');
  template_test: typeof import('./en/template-test.ts');
  template_versions: typeof import('./en/template-versions.ts');
  templates: typeof import('./en/templates.ts');
  text_compare: typeof import('./en/text-compare.ts');
  webhook: typeof import('./en/webhook.ts');
  webhook_events: typeof import('./en/webhook-events.ts');
  webhooks: typeof import('./en/webhooks.ts');
}

export type Subject = keyof English;

/** What all languages have, by subject. */
export type Vocabulary = { [Name in Subject]: Translation<English[Name]['messages']> };
