import type { Phase } from '../classify/basic-codes.ts';

/** What a report says about one recipient: from its address to where the next one begins. */
export function paragraphOf(report: string, recipient: string | undefined): string {
  const at = recipient === undefined ? -1 : report.indexOf(recipient);
  if (at === -1) return report;
  const rest = report.slice(at);
  const end = /\n\n(?=[ \t]{0,20}<?[^\s<>@]{1,64}@)/.exec(rest)?.index;
  return end === undefined ? rest : rest.slice(0, end);
}

/** As Postfix, Exim and Sendmail tell it. */
const commands: readonly (readonly [RegExp, Phase])[] = [
  [/(?:in\s+reply\s+to|after) (?:rcpt to|pipelined rcpt)|>>> rcpt/i, 'rcpt'],
  [/(?:in\s+reply\s+to|after) (?:mail from|pipelined mail)|>>> mail/i, 'mail'],
  [/(?:in\s+reply\s+to|after) (?:he|eh)lo/i, 'ehlo'],
  [/after initial connection/i, 'greeting'],
];

/** The command that a server refused, when the text tells. */
export function refusedAt(text: string): Phase | undefined {
  return commands.find(([pattern]) => pattern.test(text))?.[1];
}
