import type { Log } from '../../base/log.ts';
import type { HandedOver } from '../authentication/authenticate-mail.ts';

/** Asks for a score; null without an answer. */
export type SpamScore = (raw: Buffer, handed: HandedOver & { recipient: string }) => Promise<number | null>;

const maxMs = 5_000;

/** Of Rspamd's HTTP protocol. The score is shown as a fact; nothing is decided by it. */
export function createSpamScore(url: string, log: Log): SpamScore {
  return async (raw, { mail_from, helo, remote_ip, recipient }) => {
    try {
      const response = await fetch(`${url}/checkv2`, {
        method: 'POST',
        body: new Uint8Array(raw),
        headers: {
          From: headerValue(mail_from ?? ''),
          Rcpt: headerValue(recipient),
          Helo: headerValue(helo),
          ...(remote_ip === null ? {} : { IP: remote_ip }),
        },
        signal: AbortSignal.timeout(maxMs),
        redirect: 'error',
      });
      const { score } = (await response.json()) as { score?: unknown };
      return typeof score === 'number' && Number.isFinite(score) ? score : null;
    } catch (error) {
      log.warn({ err: error as Error }, 'Rspamd did not answer with a score');
      return null;
    }
  };
}

/** Others wrote them: nothing that could end the line, and the octets of a header only. */
function headerValue(text: string): string {
  return encodeURI(text.toWellFormed())
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 1_000);
}
