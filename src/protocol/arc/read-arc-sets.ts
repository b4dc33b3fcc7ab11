/** One set of a chain: its three fields as they stand in the header, without the CRLF at their end. */
export interface ArcSet {
  results: string;
  signature: string;
  seal: string;
  /** What its seal says of the chain before it. */
  cv: string;
}

const field = /^(arc-authentication-results|arc-message-signature|arc-seal)[ \t]*:/i;
const instance = /^[^:]+:(?:[^;]*;)*?\s*i\s*=\s*(\d{1,2})\s*(?:;|$)/i;
/** Three fields for each of 50 sets. */
const mostFields = 150;

/** The sets in their order; undefined where they are no chain: one is missing, incomplete or there twice. */
export function readArcSets(header: string): ArcSet[] | undefined {
  const fields = header.split(/\r\n(?![ \t])/).filter((line) => field.test(line));
  if (fields.length > mostFields || fields.length % 3 !== 0) return undefined;
  const sets: Partial<ArcSet>[] = [];
  for (const line of fields) {
    const i = Number(instance.exec(line.slice(0, 2_000))?.[1] ?? 0);
    const kind = kindOf(line);
    if (i < 1 || i > fields.length / 3 || sets[i - 1]?.[kind] !== undefined) return undefined;
    const cv =
      kind === 'seal'
        ? (/;\s*cv\s*=\s*(\w{1,8})/i.exec(line.slice(0, 2_000))?.[1]?.toLowerCase() ?? '')
        : undefined;
    sets[i - 1] = { ...sets[i - 1], [kind]: line, ...(cv === undefined ? {} : { cv }) };
  }
  const whole = sets.filter(
    (set) => set.results !== undefined && set.signature !== undefined && set.seal !== undefined,
  );
  return whole.length === fields.length / 3 ? (whole as ArcSet[]) : undefined;
}

function kindOf(line: string): 'results' | 'signature' | 'seal' {
  const name = line.slice(0, line.indexOf(':')).trim().toLowerCase();
  if (name === 'arc-seal') return 'seal';
  return name === 'arc-message-signature' ? 'signature' : 'results';
}
