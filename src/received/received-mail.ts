/** What a route does with a mail (contract §19). */
export const routeActions = ['webhook', 'forward', 'store', 'reject'] as const;
export type RouteAction = (typeof routeActions)[number];
/** Of a mail that was taken. */
export type TakenAction = Exclude<RouteAction, 'reject'>;

export const receivedStates = ['pending', 'parsed', 'failed'] as const;

/** The envelope and the session that a mail came in with. */
export interface Envelope {
  /** Null is the empty reverse path. */
  mail_from: string | null;
  helo: string;
  /** Null where it was not handed over by SMTP. */
  remote_ip: string | null;
  /** Protocol and cipher; null without TLS. */
  tls: string | null;
}

export interface NamedAddress {
  email: string;
  name: string | null;
}

export interface Addresses {
  from: NamedAddress[];
  to: NamedAddress[];
  cc: NamedAddress[];
  reply_to: NamedAddress[];
}

export type Verdict =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'none'
  | 'policy'
  | 'temperror'
  | 'permerror';

/** Facts, each with the domain that it is about. No verdict is made of them. */
export interface Authentication {
  spf: { result: Verdict; domain: string | null };
  /** One for each signature that was looked at. */
  dkim: { result: Verdict; domain: string | null; selector: string | null; is_aligned: boolean }[];
  dmarc: { result: Verdict; domain: string | null; policy: 'none' | 'quarantine' | 'reject' | null };
  arc: { result: Verdict; domain: string | null };
}

/** Signs that a program and not a person wrote or passed on a mail (RFC 3834). */
export interface Automation {
  auto_submitted: 'no' | 'auto-generated' | 'auto-replied' | 'auto-notified';
  /** Whether a program answered in a person's place: an out-of-office reply. */
  is_auto_reply: boolean;
  /** Whether it is a bounce or another report. */
  is_report: boolean;
  /** Null without a List-Id. */
  list_id: string | null;
  list_unsubscribe: string | null;
  /** Null without a Precedence field. */
  precedence: string | null;
  /** Whether it passed through this service before, or through too many servers. */
  is_loop: boolean;
}

export const encodings = ['identity', 'base64', 'quoted-printable'] as const;

/** A file and where it is in the source. */
export interface Attachment {
  /** Beginning with 1. */
  n: number;
  filename: string | null;
  content_type: string;
  content_id: string | null;
  disposition: 'attachment' | 'inline';
  encoding: (typeof encodings)[number];
  /** From 0. */
  starts_at: number;
  encoded_bytes: number;
  size_bytes: number;
}

/** What was read of the source of a mail. */
export interface ParsedMail {
  subject: string | null;
  from_address: string | null;
  from_name: string | null;
  addresses: Addresses;
  headers: [name: string, value: string][];
  message_id: string | null;
  in_reply_to: string | null;
  reference_ids: string[];
  sent_at: Date | null;
  text: string | null;
  html: string | null;
  /** Whether text or HTML are longer than what is kept beside the source. */
  is_truncated: boolean;
  authentication: Authentication;
  automation: Automation;
  spam_score: number | null;
  /** Canonical addresses of everybody that the mail names, for privacy requests. */
  contacts: string[];
  attachments: Attachment[];
  text_reply: string | null;
  text_reply_confidence: number | null;
  /** The sent mail that it answers. */
  in_reply_to_mail_id: string | null;
}
