export interface Mailbox {
  /** In canonical form: the domain in A-labels; a local part outside ASCII is written raw and needs SMTPUTF8. */
  address: string;
  name?: string | undefined;
}

export interface Attachment {
  /** `type/subtype`, see isMediaType. */
  type: string;
  filename: string;
  content: Buffer;
  /** What the HTML calls it (`cid:…`), without angle brackets: see isContentId. */
  content_id?: string | null;
  /** Left out: `inline` with a content_id, else `attachment`. */
  disposition?: 'inline' | 'attachment' | null;
}

/** A place in the HTML or text that each recipient gets filled in differently, e.g. a tracked link. */
export interface Slot {
  slot: number;
}

/** A text with places left open. */
export type SlottedText = (string | Slot)[];

/** One message as its author means it: Unicode, unfolded, unencoded. */
export interface OutgoingMessage {
  from: Mailbox;
  /** Left out where the caller writes To and Cc for each recipient. */
  to?: Mailbox[] | undefined;
  cc?: Mailbox[] | undefined;
  reply_to?: Mailbox[] | undefined;
  subject: string;
  /** With or without its angle brackets. */
  message_id: string;
  date: Date;
  /** Headers of the customer and of the platform, in the order they are written. */
  headers: [name: string, value: string][];
  html?: SlottedText | undefined;
  text?: SlottedText | undefined;
  attachments: Attachment[];
}
