import type { StoredContent } from '../mails/index.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';

/** What is the same for all attempts of a message. */
interface MessageFacts extends StoredContent {
  msg_id: string;
  instance_id: number;
  source: 'http' | 'smtp' | 'form';
  stream: 'transactional' | 'broadcast';
  rcpt_count: number;
  size_bytes: number;
  /** Recipients who get nothing, in lower case; looked up where recipients see each other. */
  dropped?: ReadonlySet<string> | undefined;
  /** True when html, text, raw and variables are loaded later: a batch of large messages would not fit into memory. */
  is_content_left_out?: boolean;
  /** Loaded later when absent. */
  attachments?: Attachment[] | undefined;
}

/** The sender, domain and instance at the time of the attempt. */
export interface SenderState {
  domain_id: number;
  domain: string;
  is_sandbox: boolean;
  is_verified: boolean;
  requires_consent: boolean;
  consent_purpose_id: number | null;
  track_opens: boolean;
  track_clicks: boolean;
}

/** A message to attempt. */
export interface StoredMessage extends MessageFacts {
  domain_id: number;
  domain: string;
  domain_is_sandbox: boolean;
  domain_is_verified: boolean;
  instance_is_enabled: boolean;
  /** Purpose that its recipients must have consented to; null when no consent is required. */
  consent_purpose_id: number | null;
  track_opens: boolean;
  track_clicks: boolean;
}

/** A message that was just accepted, or one that was loaded. */
export function storedMessage(
  message: MessageFacts & { test_mode: boolean },
  { sender, instance_is_enabled }: { sender: SenderState; instance_is_enabled: boolean },
): StoredMessage {
  const { msg_id, instance_id, source, stream, rcpt_count, size_bytes } = message;
  const { content_kind, envelope, html, text, raw, variables } = message;
  const { dropped, is_content_left_out = false, attachments } = message;
  const { domain_id, domain, is_sandbox, is_verified, track_opens, track_clicks } = sender;
  return {
    msg_id,
    instance_id,
    source,
    stream,
    rcpt_count,
    size_bytes,
    content_kind,
    envelope,
    html,
    text,
    raw,
    variables,
    dropped,
    is_content_left_out,
    attachments,
    domain_id,
    domain,
    domain_is_sandbox: is_sandbox,
    domain_is_verified: is_verified,
    instance_is_enabled,
    consent_purpose_id: needsConsent(message, sender) ? sender.consent_purpose_id : null,
    // Mail of forms is not tracked, even when its sender tracks.
    track_opens: track_opens && source !== 'form',
    track_clicks: track_clicks && source !== 'form',
  };
}

export function needsConsent(
  { test_mode }: { test_mode: boolean },
  { requires_consent }: Pick<SenderState, 'requires_consent'>,
): boolean {
  return requires_consent && !test_mode;
}
