/** What the words of an explanation can refer to. Texts and times are ready to be read, in the language of the reader. */
export interface Shown {
  recipient: string;
  /** Domain of the recipient. */
  destination: string;
  sender: string;
  /** Domain of the sender. */
  domain: string;
  /** The server that was asked last, else the destination. */
  host: string;
  /** When the mail is tried next. */
  next: string | null;
  sent_at: string | null;
  opens: number;
  clicks: number;
  tracks_opens: boolean;
  paused_at: string | null;
  /** DNS records of the sender's domain that are not verified, each as a line to act on. */
  records: string[];
  is_revoked: boolean;
  restriction: { reason: string; at: string } | null;
  /** Since when the recipient gets no broadcast. */
  unsubscribed_at: string | null;
  consent: ShownConsent | null;
  /** Since when the recipient is blocked at their request. */
  blocked_since: string | null;
  complaint: string | null;
  attachment_limit: string;
  /** Mails of the instance that the destination took in the last hour. */
  taken_last_hour: number;
  /** Mails a day to one provider from the addresses that warm up. */
  warm_up_cap: number | null;
}

export interface ShownConsent {
  verdict: 'allow' | 'deny' | 'none';
  purpose: string;
  term: string | null;
  at: string | null;
}

/** One cause in one language. */
export interface Words {
  /** Follows "Not delivered: " or the like, so it begins in lower case; of mail that arrived, it is the whole headline. */
  title: string;
  text: string | ((shown: Shown) => string);
  /** What to do, each line an act. */
  advice: string[] | ((shown: Shown) => string[]);
}
