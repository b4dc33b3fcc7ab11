export type PolicyMode = 'enforce' | 'testing' | 'none';

/** RFC 8461 §3.2 */
export interface MtaStsPolicy {
  mode: PolicyMode;
  /** Names of hosts in lower case; `*.` in front stands for one label. Empty only when the mode is none. */
  mx: string[];
  max_age_seconds: number;
}

/** RFC 8461 §3.2: about one year. */
const maxAgeSeconds = 31_557_600;
const mostHosts = 500;

/** The policy in the text of a policy file; undefined when it is not valid. */
export function parsePolicy(text: string): MtaStsPolicy | undefined {
  const fields = readFields(text);
  if (fields === undefined || fields.get('version')?.[0] !== 'STSv1') return undefined;
  const mode = fields.get('mode')?.[0];
  const age = fields.get('max_age')?.[0];
  const mx = (fields.get('mx') ?? []).map((pattern) => pattern.toLowerCase());
  if (!isMode(mode) || age === undefined || !/^\d{1,10}$/.test(age)) return undefined;
  if (mx.length > mostHosts || !mx.every(isPattern)) return undefined;
  if (mx.length === 0 && mode !== 'none') return undefined;
  return { mode, mx, max_age_seconds: Math.min(maxAgeSeconds, Number(age)) };
}

/** Values by key, in their order: of all but `mx` only the first counts (RFC 8461 §3.2). Unknown keys are ignored. */
function readFields(text: string): Map<string, string[]> | undefined {
  const fields = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]*$/.test(line)) continue;
    const match = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,31})[ \t]*:[ \t]*(\S(?:.*\S)?)[ \t]*$/.exec(line);
    if (!match?.[1] || match[2] === undefined) return undefined;
    const values = fields.get(match[1]);
    if (values) values.push(match[2]);
    else fields.set(match[1], [match[2]]);
  }
  return fields;
}

function isMode(mode: string | undefined): mode is PolicyMode {
  return mode === 'enforce' || mode === 'testing' || mode === 'none';
}

function isPattern(pattern: string): boolean {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/**
 * The id of the policy that a domain announces in the TXT records of `_mta-sts`; undefined when it announces none,
 * which more than one record also means (RFC 8461 §3.1).
 */
export function parseAnnouncement(records: readonly string[]): string | undefined {
  const [record, ...others] = records.filter((text) => /^v=STSv1(?:[ \t]*;|$)/.test(text));
  if (record === undefined || others.length > 0) return undefined;
  const fields = record.split(';').map((field) => field.trim());
  const ids = fields.filter((field) => field.startsWith('id='));
  const id = /^id=([A-Za-z0-9]{1,32})$/.exec(ids[0] ?? '')?.[1];
  return ids.length === 1 ? id : undefined;
}

/** Whether a policy names this host. A wildcard stands for exactly one label (RFC 8461 §4.1). */
export function policyNames(policy: Pick<MtaStsPolicy, 'mx'>, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  const parent = name.slice(name.indexOf('.') + 1);
  return policy.mx.some((pattern) =>
    pattern.startsWith('*.') ? parent !== name && pattern.slice(2) === parent : pattern === name,
  );
}
