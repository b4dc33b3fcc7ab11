/** How much of a reply is kept: enough to classify and to show it. */
const longest = 1_000;

interface ReplyText {
  smtp_code: number | undefined;
  status: string | undefined;
  text: string | undefined;
}

/** The codes inside a reply as reports quote it: `550 5.1.1 …`, `550-5.1.1 …`, `550: …`, `#5.1.1 smtp;550 …`. */
export function readReplyText(quoted: string): ReplyText {
  const text = tidy(quoted);
  const code = /(?:^|[\s'":;#(<])([45]\d\d)(?=[\s:;#-])/.exec(text)?.[1];
  const status = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1];
  return {
    smtp_code: code === undefined ? undefined : Number(code),
    status,
    text: text === '' ? undefined : text,
  };
}

/** In one line, and without the codes that stand before each line of a long reply. */
function tidy(quoted: string): string {
  const line = quoted
    .slice(0, 4 * longest)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const code = /^[45]\d\d/.exec(line)?.[0];
  const once = code && line.replaceAll(new RegExp(` ${code}[- ][45]\\.\\d{1,3}\\.\\d{1,3} `, 'g'), ' ');
  return (once ?? line).slice(0, longest);
}

/** `x.0.0` says nothing: any other status tells more. */
export function mostTelling(...statuses: (string | undefined)[]): string | undefined {
  const given = statuses.filter((status) => status !== undefined);
  return given.find((status) => !status.endsWith('.0.0')) ?? given[0];
}
