const name = 'chasqui_refresh';
const token = /^[A-Za-z0-9_-]{43}$/;

/**
 * The refresh token of a Cookie header. A neighbouring subdomain can plant a second cookie of the same name, and
 * nothing tells which of the two is ours: then neither is taken.
 */
export function readRefreshCookie(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = ''] = values;
  return values.length === 1 && token.test(value) ? value : undefined;
}

/** Out of reach of scripts, sent to the sign-in operations alone, and never with a request from another site. */
export function refreshCookie(
  base_url: string,
  { value, max_age_seconds }: { value: string; max_age_seconds: number },
): string {
  const secure = base_url.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/v1/private/auth; Max-Age=${max_age_seconds}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearedRefreshCookie(base_url: string): string {
  return refreshCookie(base_url, { value: '', max_age_seconds: 0 });
}
