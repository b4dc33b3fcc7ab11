import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { recordComplaint, recordUnsubscribe } from '../events/index.ts';
import { partText } from '../protocol/mime/decode-part.ts';
import { readParts } from '../protocol/mime/read-parts.ts';
import type { Tracking } from '../track/index.ts';

export interface CapturedMail {
  mail_id: string;
  /** The message as it would be sent. */
  raw: Buffer;
}

/** What the simulated recipient of a delivered mail does, by the name of the script (contract §6). */
export type SandboxReactions = ReadonlyMap<string, (mail: CapturedMail) => Promise<void>>;

/** Looks like a person's browser. */
const visitor = {
  method: 'GET',
  headers: { 'user-agent': 'Mozilla/5.0 (Chasqui sandbox)' },
  is_scripted: true,
};

/** `open` loads the pixel of the message, `click` follows the first link of it that is tracked. */
export function sandboxVisits(tracking: Tracking, base_url: string): SandboxReactions {
  const follow = (page: 'o' | 'c') => async (mail: CapturedMail) => {
    const part = readParts(mail.raw).parts.find(({ type }) => type === 'text/html');
    const html = part ? partText(part, mail.raw.length) : '';
    const start = html.indexOf(`${base_url}/${page}/`);
    const [path] = /^\/[oc]\/[\w-]+/.exec(html.slice(start + base_url.length)) ?? [];
    // Absent when the sender has no tracking, or the message no links.
    if (start !== -1 && path) await tracking.visit(path, visitor);
  };
  return new Map([
    ['open', follow('o')],
    ['click', follow('c')],
  ]);
}

/** `complaint` reports the message as spam, `unsubscribe` uses one-click. */
export function sandboxRefusals(db: Database, clock: Clock): SandboxReactions {
  return new Map([
    [
      'complaint',
      async ({ mail_id }: CapturedMail) => {
        await recordComplaint(db, { mail_id, type: 'spam', comment: null, at: clock.now() });
      },
    ],
    [
      'unsubscribe',
      async ({ mail_id }: CapturedMail) => {
        await recordUnsubscribe(db, { mail_id, method: 'one_click', reason: null, at: clock.now() });
      },
    ],
  ]);
}
