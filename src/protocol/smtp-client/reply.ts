import type { Phase, ReplyOutcome } from './outcome.ts';

export interface Reply {
  code: number;
  /** What follows the code on each line. */
  lines: readonly string[];
}

export const isPositive = ({ code }: Reply): boolean => code < 300;
export const isRefusal = ({ code }: Reply): boolean => code >= 400;

const enhancedCode = /^([245]\.\d{1,3}\.\d{1,3})(?:[ \t]+|$)/;

export function replyOutcome(reply: Reply, phase: Phase): ReplyOutcome {
  const [, enhanced_code] = enhancedCode.exec(reply.lines[0] ?? '') ?? [];
  // Servers repeat the enhanced code on every line: left in, it would stand in the middle of their sentences.
  const lines = reply.lines.map((line) => withoutEnhancedCode(line, enhanced_code));
  const text = lines.filter((line) => line !== '').join(' ');
  // Logs and databases take text: a NUL would be refused by PostgreSQL.
  return {
    kind: 'reply',
    phase,
    code: reply.code,
    enhanced_code,
    text: text.replaceAll(/\p{Cc}/gu, '\u{fffd}'),
  };
}

function withoutEnhancedCode(line: string, code: string | undefined): string {
  const [prefix = '', found] = enhancedCode.exec(line) ?? [];
  return (found !== undefined && found === code ? line.slice(prefix.length) : line).trim();
}
