import { digestOf } from '../base/digest.ts';
import { IdSequence } from '../base/ids.ts';
import type { Accepted, AcceptedCall } from './written-mail.ts';
import type { NewKeptAnswer, NewMessage } from '../mails/index.ts';

const ids = new IdSequence();
export interface WantedMessage {
  recipients?: number;
  subject?: string;
  html_bytes?: number;
  attached?: boolean;
  dropped?: boolean;
}

/** A message that is ready to be written, of no instance. */
export function message({
  recipients = 1,
  subject = 'Hello',
  html_bytes = 20,
  attached,
  dropped,
}: WantedMessage = {}): NewMessage {
  const received_at = new Date();
  const html = Buffer.alloc(html_bytes, 'x');
  return {
    msg_id: ids.next(received_at),
    instance_id: 0,
    sender_id: 1,
    sender_email: 'a@b.cl',
    category_id: null,
    template_id: null,
    source: 'http',
    stream: 'transactional',
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: null,
    tags: null,
    consent_purpose_id: null,
    size_bytes: html.length,
    personal_bytes: 0,
    content_kind: 'parts',
    envelope: { from: { address: 'a@b.cl' }, to: [], cc: [], subject, headers: [] },
    html,
    text: null,
    raw: null,
    variables: null,
    attachments: attached ? [{ type: 'a/b', filename: 'a', content: Buffer.from('a') }] : [],
    received_at,
    schedule_at: null,
    mails: Array.from({ length: recipients }, (_, index) => ({
      mail_id: ids.next(received_at),
      recipient: `p${index}@sandbox.test`,
      recipient_name: null,
      recipient_kind: 'to',
      destination: 'sandbox.test',
      subject,
      drop_reason: dropped ? 'recipient_restricted' : null,
    })),
  };
}

/** The message as a call of its own. */
export function accepted(given: NewMessage, answer?: NewKeptAnswer): AcceptedCall {
  return { accepted: [acceptedMessage(given)], answer };
}

/** From a sender of a verified domain, on the terms of anybody. */
export function acceptedMessage(given: NewMessage): Accepted {
  return {
    message: given,
    sender: {
      id: given.sender_id,
      name: 'Shop',
      email_address: given.sender_email,
      stream: given.stream,
      requires_consent: false,
      consent_purpose_id: null,
      domain_id: 1,
      domain: 'shop.example.test',
      is_sandbox: false,
      is_verified: true,
      track_opens: true,
      track_clicks: true,
    },
    instance: {
      id: given.instance_id,
      timezone: 'UTC',
      is_enabled: true,
      subscription_status: 'active',
      plan_send_limit: null,
      attachment_limit_bytes: 2 ** 24,
      bandwidth_bytes_per_second: 2 ** 24,
      bandwidth_burst_bytes: 2 ** 24,
      requests_per_second: 0,
      requests_burst: 0,
      smtp_messages_per_second: 0,
      retention_months: 3,
    },
  };
}

/** The answer of a call with this key, as it is kept. */
export const answerFor = ({ instance_id, msg_id }: NewMessage, key: string): NewKeptAnswer => ({
  instance_id,
  key_digest: digestOf(key),
  body_digest: digestOf('a body'),
  answer: JSON.stringify({ message_id: msg_id }),
  has_errors: false,
});
