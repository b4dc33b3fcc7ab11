const name = 'chasqui_refresh';
const token = /^[A-Za-z0-9_-]{43}$/;

/**
 * A sibling subdomain can set a second cookie of the same name. Since they cannot be told apart, neither is accepted.
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

/** HttpOnly, limited to the path of the sign-in operations, SameSite. */
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
