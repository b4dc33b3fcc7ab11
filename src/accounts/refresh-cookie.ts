/** Of a host that is reached by plain HTTP, and of version 0.2. */
const plainName = 'chasqui_refresh';
/** Browsers take it only from this very host, over HTTPS: no sibling subdomain can set one (RFC 6265bis §4.1.3.2). */
const hostName = `__Host-${plainName}`;
const token = /^[A-Za-z0-9_-]{43}$/;

const isSecure = (base_url: string): boolean => base_url.startsWith('https:');

/**
 * Over HTTPS, a cookie of version 0.2 counts only where there is no other. A sibling subdomain can set a second one of its
 * name. Since they cannot be told apart, neither is accepted.
 */
export function readRefreshCookie(base_url: string, header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const valuesOf = (name: string): string[] =>
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  const own = isSecure(base_url) ? valuesOf(hostName) : [];
  const values = own.length > 0 ? own : valuesOf(plainName);
  const [value = ''] = values;
  return values.length === 1 && token.test(value) ? value : undefined;
}

interface Cookie {
  value: string;
  max_age_seconds: number;
}

/** HttpOnly, SameSite. The one of version 0.2 goes when its successor comes. */
export function refreshCookies(base_url: string, cookie: Cookie): string[] {
  if (!isSecure(base_url)) return [plainCookie(cookie)];
  const gone = plainCookie({ value: '', max_age_seconds: 0 });
  return [`${hostName}=${cookie.value}; Path=/; ${attributes(cookie)}; Secure`, `${gone}; Secure`];
}

export function clearedRefreshCookies(base_url: string): string[] {
  return refreshCookies(base_url, { value: '', max_age_seconds: 0 });
}

/** Limited to the path of the sign-in operations. */
function plainCookie(cookie: Cookie): string {
  return `${plainName}=${cookie.value}; Path=/v1/private/auth; ${attributes(cookie)}`;
}

function attributes({ max_age_seconds }: Cookie): string {
  return `Max-Age=${max_age_seconds}; HttpOnly; SameSite=Strict`;
}
