import type { Violation } from '../../base/errors/problem.ts';
import type { SendGridMail } from './mail-schema.ts';

type Enabled = { enable?: boolean | null } | null | undefined;

/** What Chasqui does not do, where it is asked for. */
export function refusalsOf(mail: SendGridMail): Violation[] {
  const violations: Violation[] = [];
  const refuse = (field: string, message: string): void =>
    void violations.push({ pointer: `/${field}`, code: 'value_error.unsupported', message });
  for (const [index, { substitutions }] of mail.personalizations.entries()) {
    if (isEmpty(substitutions)) continue;
    refuse(
      `personalizations/${index}/substitutions`,
      'Legacy templates are not supported: use dynamic_template_data with a template.',
    );
  }
  if (!isEmpty(mail.sections)) refuse('sections', 'Legacy templates are not supported: use a template.');
  if (mail.batch_id) {
    refuse('batch_id', 'Batches are not supported: cancel scheduled messages over /v1/messages.');
  }
  if (!isEmpty(mail.asm)) {
    refuse('asm', 'Unsubscribe groups are not supported: use a sender that requires consent for a purpose.');
  }
  if (mail.ip_pool_name) refuse('ip_pool_name', 'The operator chooses the IP pool of an instance.');
  violations.push(...ofMailSettings(mail), ...ofTracking(mail));
  return violations;
}

function ofMailSettings({ mail_settings }: SendGridMail): Violation[] {
  const { sandbox_mode: _, ...settings } = mail_settings ?? {};
  return Object.entries(settings).flatMap(([name, setting]) => {
    if (!isOn(setting)) return [];
    const message = name.startsWith('bypass_')
      ? 'Consent and suppression cannot be bypassed.'
      : `Chasqui has no ${name}.`;
    return [{ pointer: `/mail_settings/${name}/enable`, code: 'value_error.unsupported', message }];
  });
}

function ofTracking({ tracking_settings }: SendGridMail): Violation[] {
  const violations: Violation[] = [];
  const refuse = (field: string, message: string): void =>
    void violations.push({
      pointer: `/tracking_settings/${field}`,
      code: 'value_error.unsupported',
      message,
    });
  const { click_tracking, open_tracking, subscription_tracking, ganalytics } = tracking_settings ?? {};
  if (click_tracking?.enable_text === true) {
    refuse('click_tracking/enable_text', 'Links in plain text are never tracked.');
  }
  if (open_tracking?.substitution_tag) {
    refuse('open_tracking/substitution_tag', 'Chasqui places the pixel at the end of the HTML.');
  }
  if (isOn(subscription_tracking)) {
    refuse(
      'subscription_tracking/enable',
      'Write {{ unsubscribe_url }} into the content, or use a sender of stream broadcast.',
    );
  }
  if (isOn(ganalytics)) refuse('ganalytics/enable', 'Chasqui adds nothing to the URLs of links.');
  return violations;
}

function isOn(setting: Enabled): boolean {
  return setting?.enable === true;
}

function isEmpty(members: object | null | undefined): boolean {
  return Object.keys(members ?? {}).length === 0;
}
