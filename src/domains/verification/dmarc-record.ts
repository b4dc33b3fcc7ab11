export type DmarcProblem =
  | { kind: 'tag_repeated'; tag: string }
  | { kind: 'rua_missing' }
  | { kind: 'rua_invalid'; value: string };

/** RFC 9989 §4.7: the version comes first, case-sensitive; other TXT records are ignored. */
export function isDmarcRecord(text: string): boolean {
  return /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);
}

/**
 * The first problem of a record, or undefined for one with a `rua` that receivers can report to. With one, a `p` that is missing
 * or unknown counts as `p=none` (RFC 9989 §4.10.1), and any `sp`, `np`, `psd` and `t` will do.
 */
export function dmarcProblem(record: string): DmarcProblem | undefined {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const equals = part.indexOf('=');
    const tag = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    // Syntax errors after the version are ignored (RFC 9989 §4.7).
    if (!/^[a-z][a-z0-9_]*$/.test(tag)) continue;
    // A repeated tag invalidates the list (RFC 6376 §3.2).
    if (tags.has(tag)) return { kind: 'tag_repeated', tag };
    tags.set(tag, part.slice(equals + 1).trim());
  }
  return reportProblem(tags.get('rua'));
}

function reportProblem(rua: string | undefined): DmarcProblem | undefined {
  if (rua === undefined || rua === '') return { kind: 'rua_missing' };
  return rua.split(',').some((uri) => isReportUri(uri.trim()))
    ? undefined
    : { kind: 'rua_invalid', value: rua };
}

/** `mailto:` with one address and an optional size limit: "!" and "," cannot occur inside (RFC 9989 §4.8). */
function isReportUri(uri: string): boolean {
  const match = /^mailto:([^!?]+)(?:\?[^!]*)?(?:![0-9]+[kmgt]?)?$/i.exec(uri);
  return match !== null && isAddress(percentDecoded(match[1] ?? ''));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // not a URI, so not an address
  }
}

function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  return (
    at > 0 &&
    local.length <= 64 &&
    domain.length <= 253 &&
    /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/.test(local) &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i.test(domain)
  );
}
