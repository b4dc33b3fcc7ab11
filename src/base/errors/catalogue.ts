import type { ProblemSlug } from './problem-types.ts';

/**
 * The one list of everything that can go wrong on purpose. Rooms throw these codes and never name HTTP or SMTP;
 * HTTP answers, OpenAPI and the pages below /docs/errors are made from it.
 */
interface CatalogueEntry {
  type: ProblemSlug;
  /** The sentence a caller reads when the thrower gives none of its own. */
  detail: string;
}

const entries = {
  bad_request: { type: 'bad-request', detail: 'The request could not be understood.' },
  unauthorized: { type: 'unauthorized', detail: 'Valid credentials are required.' },
  forbidden: { type: 'forbidden', detail: 'These credentials do not allow this operation.' },
  ip_not_allowed: { type: 'ip-not-allowed', detail: 'Requests from this address are not allowed.' },
  instance_disabled: {
    type: 'forbidden',
    detail:
      'The operator of the platform disabled the instance. Its data can be read and exported and rights requests answered; nothing else can be changed.',
  },
  not_found: { type: 'not-found', detail: 'There is no such route.' },
  method_not_allowed: { type: 'method-not-allowed', detail: 'This path does not support this method.' },
  request_timeout: { type: 'request-timeout', detail: 'The request took too long to arrive.' },
  request_too_large: { type: 'request-too-large', detail: 'The request is larger than the maximum.' },
  unsupported_media_type: {
    type: 'unsupported-media-type',
    detail: 'The body must be application/json, either plain or with Content-Encoding: gzip.',
  },
  validation_error: { type: 'validation-error', detail: 'The request has invalid values; see errors.' },
  rate_limit_exceeded: {
    type: 'rate-limit-exceeded',
    detail: 'Too many requests. Try again after the time in Retry-After.',
  },
  request_header_fields_too_large: {
    type: 'request-header-fields-too-large',
    detail: 'The request headers are larger than the maximum.',
  },
  internal_error: {
    type: 'internal-error',
    detail: 'An unexpected error happened. Report it with the trace_id.',
  },
  service_unavailable: {
    type: 'service-unavailable',
    detail: 'The service cannot handle the request right now. Try again shortly.',
  },

  plan_send_limit_exceeded: {
    type: 'payment-required',
    detail: 'The plan does not allow this many recipients in the present period.',
  },
  subscription_inactive: {
    type: 'payment-required',
    detail: 'The subscription of the instance is not active.',
  },
  sandbox_relay_restricted: {
    type: 'conflict',
    detail: 'A sandbox sender, or an API key for the sandbox only, can send only to sandbox recipients.',
  },
  domain_sender_not_verified: { type: 'conflict', detail: 'The domain of the sender is not verified.' },
  template_not_public: {
    type: 'conflict',
    detail: 'The template is not published; only a send in test_mode can use it.',
  },
  idempotency_key_reused: {
    type: 'conflict',
    detail: 'Another request with this Idempotency-Key had another body. Use a new key for another request.',
  },
  idempotency_in_progress: {
    type: 'conflict',
    detail: 'The first request with this Idempotency-Key is still being handled. Repeat the request shortly.',
  },
  message_not_found: { type: 'not-found', detail: 'There is no such message in this instance.' },
  message_already_sent: {
    type: 'conflict',
    detail:
      'No mail of the message can be changed any more: each was attempted, is being attempted or was dropped.',
  },
  mail_not_found: { type: 'not-found', detail: 'There is no such mail in this instance.' },
  search_timeout: {
    type: 'service-unavailable',
    detail: 'The search took too long. Request fewer days, or a longer part of the subject or the address.',
  },
  mail_outside_retention: {
    type: 'mail-outside-retention',
    detail: 'The mail is older than the online retention, which is three months unless agreed otherwise.',
  },
  mail_complaint_not_found: { type: 'not-found', detail: 'No complaint was recorded for this mail.' },
  mail_unsubscribe_not_found: { type: 'not-found', detail: 'No unsubscribe was recorded for this mail.' },
  inbound_message_not_found: { type: 'not-found', detail: 'There is no such message in this instance.' },
  inbound_route_not_found: { type: 'not-found', detail: 'There is no such route in this instance.' },
  inbound_route_limit_reached: { type: 'conflict', detail: 'The domain has reached its limit of routes.' },
  received_mail_not_found: { type: 'not-found', detail: 'There is no such received mail in this instance.' },
  reply_withdrawal_not_found: {
    type: 'not-found',
    detail: 'There is no such withdrawal by reply in this instance.',
  },
  reply_withdrawal_decided: { type: 'conflict', detail: 'This withdrawal by reply was decided before.' },
  forward_address_not_found: {
    type: 'not-found',
    detail: 'There is no such forward address in this instance.',
  },
  forward_address_verified: { type: 'conflict', detail: 'This address agreed already.' },
  forward_address_limit_reached: {
    type: 'conflict',
    detail: 'The instance has reached its limit of forward addresses.',
  },
  annotation_not_found: { type: 'not-found', detail: 'There is no such annotation in this instance.' },
  mail_restriction_not_found: { type: 'not-found', detail: 'There is no such restriction in this instance.' },
  mail_restriction_already_exists: { type: 'conflict', detail: 'This address is restricted already.' },
  domain_not_found: { type: 'not-found', detail: 'There is no such domain in this instance.' },
  domain_limit_reached: { type: 'conflict', detail: 'The instance has reached its limit of domains.' },
  domain_already_exists: { type: 'conflict', detail: 'The instance has this domain already.' },
  domain_not_verified: {
    type: 'conflict',
    detail: 'A sender needs a verified domain: publish its DNS records and validate it first.',
  },
  domain_revoked_by_operator: {
    type: 'conflict',
    detail: 'The operator of the platform revoked this domain, and only they can reinstate it.',
  },
  domain_is_sandbox: { type: 'conflict', detail: 'The sandbox domain cannot be changed.' },
  external_id_already_exists: {
    type: 'conflict',
    detail: 'Another resource has this external_id; existing_id names it.',
  },
  sender_not_found: { type: 'not-found', detail: 'There is no such sender in this instance.' },
  sender_already_exists: { type: 'conflict', detail: 'A sender with this address exists already.' },
  sender_is_default: {
    type: 'conflict',
    detail:
      'Addresses of its domain send with the settings of this sender; choose another default_sender_id or switch any_sender off first.',
  },
  mail_template_not_found: { type: 'not-found', detail: 'There is no such template in this instance.' },
  template_alias_already_exists: {
    type: 'conflict',
    detail: 'Another template of the instance has this alias.',
  },
  template_version_not_found: {
    type: 'not-found',
    detail: 'The template does not have this version, or it was deleted.',
  },
  template_content_required: {
    type: 'conflict',
    detail: 'A template needs a subject and content before it can be published.',
  },
  instance_not_found: { type: 'not-found', detail: 'There is no instance with this slug.' },
  instance_already_exists: { type: 'conflict', detail: 'An instance with this slug exists already.' },
  user_already_member: { type: 'conflict', detail: 'The user is already a member of this instance.' },
  mail_content_not_found: {
    type: 'not-found',
    detail: 'The message of this mail cannot be shown: its template could not be rendered.',
  },
  attachment_not_found: { type: 'not-found', detail: 'The message has no such attachment.' },
  second_factor_required: {
    type: 'unauthorized',
    detail: 'The account has a second factor: sign in again with a code.',
  },
  second_factor_setup_required: {
    type: 'forbidden',
    detail:
      'The instance demands a second factor: set up an authenticator app or a passkey in your account first.',
  },
  second_factor_rule_locks_out: {
    type: 'conflict',
    detail:
      'Set up a second factor for yourself before you demand one of everybody. For a key, an owner needs one.',
  },
  two_factor_already_enabled: { type: 'conflict', detail: 'The account has a second factor already.' },
  two_factor_not_enabled: { type: 'conflict', detail: 'The account has no second factor.' },
  single_sign_on_disabled: {
    type: 'not-found',
    detail: 'The operator has set up no provider to sign in by.',
  },
  single_sign_on_failed: {
    type: 'unauthorized',
    detail: 'The sign-in by the provider failed or took too long. Begin it again.',
  },
  single_sign_on_unavailable: {
    type: 'service-unavailable',
    detail:
      'The provider to sign in by cannot be used right now. The operator finds the reason with `chasqui doctor`.',
  },
  single_sign_on_email_unverified: {
    type: 'forbidden',
    detail: 'The provider does not confirm an email address, so no account can be found by it.',
  },
  single_sign_on_no_account: {
    type: 'forbidden',
    detail: 'No account was found for this email address. Ask an owner of the instance for an invitation.',
  },
  identity_not_found: { type: 'not-found', detail: 'The linked sign-in does not exist.' },
  identity_is_only_sign_in: {
    type: 'conflict',
    detail: 'The account has no password: choose one by mail before the sign-in is unlinked.',
  },
  passkeys_unavailable: {
    type: 'conflict',
    detail:
      'Browsers offer passkeys only over https and by a name: CHASQUI_BASE_URL must be such an address.',
  },
  passkey_not_found: { type: 'not-found', detail: 'The passkey does not exist.' },
  saved_view_not_found: { type: 'not-found', detail: 'You have no such view in this instance.' },
  saved_view_limit_reached: {
    type: 'conflict',
    detail: 'You have reached the limit of saved views. Delete one first.',
  },
  passkey_limit_reached: {
    type: 'conflict',
    detail: 'An account has at most 20 passkeys. Remove one first.',
  },
  recent_sign_in_required: {
    type: 'forbidden',
    detail:
      'The account has no password, so this needs a sign-in of the last 15 minutes. Sign out and in again.',
  },
  session_not_found: { type: 'not-found', detail: 'The session does not exist or has ended.' },
  password_reset_not_found: { type: 'not-found', detail: 'The password link does not exist or has expired.' },
  source_address_already_exists: { type: 'conflict', detail: 'The address is a source address already.' },
  source_address_not_found: { type: 'not-found', detail: 'There is no such source address.' },
  source_pool_not_found: { type: 'not-found', detail: 'The pool has no addresses.' },
  source_pool_in_use: {
    type: 'conflict',
    detail: 'An instance sends from this pool, and it must not become empty.',
  },
  domain_revocation_not_found: { type: 'not-found', detail: 'No operator has revoked this domain.' },
  link_takedown_not_found: { type: 'not-found', detail: 'No operator has taken down links to this host.' },
  job_not_found: { type: 'not-found', detail: 'There is no such job.' },
  check_not_found: { type: 'not-found', detail: 'There is no such check.' },
  mail_not_waiting: {
    type: 'conflict',
    detail:
      'The mail is not waiting for its next attempt: it is finished, held, scheduled, being delivered, or its destination is paused.',
  },
  user_not_found: { type: 'not-found', detail: 'There is no such user.' },
  member_not_found: { type: 'not-found', detail: 'There is no such member in this instance.' },
  member_is_last_owner: { type: 'conflict', detail: 'An instance keeps at least one owner.' },
  invitation_not_found: { type: 'not-found', detail: 'The invitation does not exist or has expired.' },
  ip_allowlist_excludes_caller: {
    type: 'conflict',
    detail: 'The list would lock you out: it does not contain the address of this request.',
  },
  api_key_scope_required: { type: 'conflict', detail: 'An API key needs at least one scope.' },
  api_key_not_found: { type: 'not-found', detail: 'There is no such API key in this instance.' },

  consent_event_not_found: { type: 'not-found', detail: 'There is no such consent event in this instance.' },
  consent_term_inactive: {
    type: 'conflict',
    detail: 'The term is inactive and does not accept new consents.',
  },
  consent_term_no_current_version: {
    type: 'conflict',
    detail: 'The term has no current version that could be agreed to.',
  },
  consent_channel_not_covered: { type: 'conflict', detail: 'The term does not cover this channel.' },
  consent_contact_type_channel_mismatch: {
    type: 'conflict',
    detail: 'A contact of this type cannot be reached over this channel.',
  },
  consent_duplicate_rule: {
    type: 'conflict',
    detail: 'Two rules are about the same channel and purpose.',
  },
  consent_contact_pairs_mismatch: {
    type: 'conflict',
    detail: 'contact and contact_type must have the same number of values: they are matched by position.',
  },
  consent_event_not_pending: {
    type: 'conflict',
    detail: 'The consent event is not waiting for a confirmation.',
  },

  smtp_credential_not_found: {
    type: 'not-found',
    detail: 'There is no such SMTP credential in this instance.',
  },

  consent_purpose_not_found: { type: 'not-found', detail: 'There is no such purpose in this instance.' },
  consent_purpose_already_exists: { type: 'conflict', detail: 'A purpose with this code exists already.' },
  consent_purpose_in_use: {
    type: 'conflict',
    detail: 'A term, a sender or a recorded consent uses this purpose: disable it instead of deleting it.',
  },
  consent_term_not_found: { type: 'not-found', detail: 'There is no such consent term in this instance.' },
  consent_term_missing_channels_or_purposes: {
    type: 'conflict',
    detail: 'A consent term needs at least one channel and at least one purpose.',
  },
  consent_term_version_not_found: { type: 'not-found', detail: 'The consent term has no such version.' },
  consent_term_version_already_exists: {
    type: 'conflict',
    detail: 'The consent term has a version with this label already.',
  },
  consent_term_version_published: {
    type: 'conflict',
    detail:
      'A published version cannot be changed, because people agree to this exact text. Add another version.',
  },
  consent_term_version_not_published: {
    type: 'conflict',
    detail: 'Only a published version can become the current one.',
  },
  consent_term_texts_too_large: {
    type: 'conflict',
    detail: 'The texts of all versions of the instance together are at most 16 MiB.',
  },
  webhook_not_found: { type: 'not-found', detail: 'There is no such webhook in this instance.' },
  webhook_limit_reached: { type: 'conflict', detail: 'The instance has reached its limit of webhooks.' },
  webhook_paused: { type: 'conflict', detail: 'A paused webhook receives nothing: resume it first.' },
  webhook_delivery_not_found: {
    type: 'not-found',
    detail: 'This webhook has no such delivery; they are kept for 30 days.',
  },

  consent_event_no_submission: {
    type: 'conflict',
    detail: 'The consent was not given through a form, so there is no confirmation to send.',
  },
  contact_not_found: { type: 'not-found', detail: 'Nothing is known about this contact.' },
  contact_import_not_found: {
    type: 'not-found',
    detail: 'There is no such import of contacts in this instance.',
  },
  form_not_found: { type: 'not-found', detail: 'There is no such form in this instance.' },
  form_submission_not_found: { type: 'not-found', detail: 'The form has no such submission.' },
  form_submission_not_pending: {
    type: 'conflict',
    detail: 'The submission was confirmed already, or its time to be confirmed is over.',
  },
  confirmation_requires_email: {
    type: 'conflict',
    detail: 'A form that requires confirmation needs the field EMAIL and a sender.',
  },

  broadcast_not_found: { type: 'not-found', detail: 'There is no such broadcast in this instance.' },
  broadcast_has_started: {
    type: 'conflict',
    detail:
      'The broadcast has started: only its name and its pace can change, and nothing once it is finished.',
  },
  broadcast_state_conflict: { type: 'conflict', detail: 'The state of the broadcast does not allow this.' },

  rights_request_not_found: {
    type: 'not-found',
    detail: 'There is no such rights request in this instance.',
  },
  rights_request_unverified: {
    type: 'conflict',
    detail: 'The person has not answered the mail to the address yet.',
  },
  rights_request_closed: { type: 'conflict', detail: 'The request was fulfilled or refused already.' },
  rights_request_running: { type: 'conflict', detail: 'The erasure is being carried out.' },
  rights_request_not_running: { type: 'conflict', detail: 'The request has no running erasure.' },
  rights_request_extended_already: {
    type: 'conflict',
    detail: 'The time of a request can be extended only once.',
  },
  rights_archive_not_available: {
    type: 'conflict',
    detail: 'Only requests for access or portability that were not refused have an archive.',
  },
  rights_request_not_blocking: { type: 'conflict', detail: 'The request does not block a person.' },

  field_not_found: { type: 'not-found', detail: 'There is no such field in this instance.' },
  field_is_system: { type: 'conflict', detail: 'A system field cannot be deleted.' },
  field_is_inactive: { type: 'conflict', detail: 'An inactive field is read-only: activate it first.' },
  field_in_use: { type: 'conflict', detail: 'A form asks for this field: take it off the form first.' },
  field_key_already_exists: { type: 'conflict', detail: 'A field with this field_key exists already.' },
  field_key_reserved: {
    type: 'conflict',
    detail: 'This field_key belonged to a deleted field and stays reserved.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof entries;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = entries;
export const errorCodes = Object.keys(entries) as ErrorCode[];
