import type { IncomingMessage } from 'node:http';

const malformed = new WeakSet<IncomingMessage>();

/**
 * The URL for the router, which refuses a path that it cannot decode before anyone knows whose it is: each of its percent
 * signs then stands for itself, and `hasMalformedPath` reports it to the handler.
 */
export function routableUrl(request: IncomingMessage): string {
  const { url = '' } = request;
  if (!url.includes('%')) return url;
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    malformed.add(request);
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

export function hasMalformedPath(request: IncomingMessage): boolean {
  return malformed.has(request);
}
