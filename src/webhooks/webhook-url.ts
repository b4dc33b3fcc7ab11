import { validationProblem, type Violation } from '../base/errors/problem.ts';
import { findEndpoint, type EndpointPolicy } from '../base/outbound/endpoint-address.ts';

const pointer = '/url';

function notAllowed(message: string): Violation {
  return { pointer, code: 'webhook_url_not_allowed', message };
}

/** Checks that need no DNS. */
export function validateUrlText(url: unknown, { allow_insecure }: { allow_insecure: boolean }): Violation[] {
  // The schema reports a missing or non-string value.
  if (typeof url !== 'string') return [];
  const parsed = URL.parse(url);
  if (!parsed) return [notAllowed('This is not a URL')];
  const isSecure = parsed.protocol === 'https:' || (allow_insecure && parsed.protocol === 'http:');
  if (!isSecure) {
    return [{ pointer, code: 'webhook_url_insecure', message: 'A webhook must be an https URL' }];
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return [notAllowed('The URL must not contain credentials: deliveries are signed')];
  }
  return [];
}

/** Throws unless deliveries may be posted to a URL, as it resolves now. Each delivery checks the connected address again. */
export async function requireUrl(url: string, policy: EndpointPolicy): Promise<void> {
  const violations = validateUrlText(url, policy);
  if (violations.length > 0) throw validationProblem(violations);
  const found = await findEndpoint(new URL(url).hostname, policy);
  if (found.ok) return;
  const message =
    found.reason === 'address_not_allowed'
      ? 'The host must be at public addresses only'
      : `The host could not be found (${found.reason})`;
  throw validationProblem([notAllowed(message)]);
}

/** Two spellings of one URL are the same URL. */
export function isSameUrl(a: string, b: string): boolean {
  return a === b || URL.parse(a)?.href === URL.parse(b)?.href;
}
