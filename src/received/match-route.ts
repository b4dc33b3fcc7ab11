import type { RouteAction } from './received-mail.ts';

export const routeMatches = ['exact', 'prefix', 'tag', 'catch_all'] as const;
export type RouteMatch = (typeof routeMatches)[number];

/** What decides whether a route takes an address. */
export interface MatchedRoute {
  id: number;
  match: RouteMatch;
  /** In lower case; empty for a catch-all. */
  local_part: string;
  action: RouteAction;
}

/** RFC 2142 and the loops of feedback, reports and the addresses of single mails: they never reach a route. */
const reserved: ReadonlySet<string> = new Set([
  'abuse',
  'bounce',
  'bounces',
  'dmarc',
  'fbl',
  'hostmaster',
  'postmaster',
  'unsubscribe',
]);

/** `bounce-…` and `unsubscribe-…` have a token; one that is not valid does not become an ordinary address. */
export function isReservedLocalPart(localPart: string): boolean {
  const name = localPart.toLowerCase();
  return reserved.has(name) || /^(?:bounces?|unsubscribe)-/.test(name);
}

/** What follows the first `+`; null without one. */
export function tagOf(localPart: string): string | null {
  const plus = localPart.indexOf('+');
  return plus === -1 ? null : localPart.slice(plus + 1);
}

/** The first route in their order that takes the local part. Compared as text: nothing of it is a pattern. */
export function matchRoute<Route extends MatchedRoute>(
  routes: readonly Route[],
  localPart: string,
): Route | undefined {
  const name = localPart.toLowerCase();
  if (isReservedLocalPart(name)) return undefined;
  return routes.find(({ match, local_part }) => {
    if (match === 'catch_all') return true;
    if (match === 'prefix') return name.startsWith(local_part);
    if (name === local_part) return true;
    return match === 'tag' && name.startsWith(`${local_part}+`);
  });
}
