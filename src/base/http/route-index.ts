import type { FastifyInstance } from 'fastify';

interface IndexedRoute {
  pattern: RegExp;
  method: string;
}

interface RouteIndex {
  /** Of the route that has this path without parameters, else of all that take it. */
  methodsAt(url: string): string[];
  /**
   * For what the router took for `/v1/mails/{mail_id}`: whether there is a route `/v1/mails/send`, for other methods. The
   * router looks for a path among the routes of one method only.
   */
  isOfOtherRoute(url: string, route: string | undefined): boolean;
}

/** Remembers every route as it is registered, to tell a wrong method (405, with Allow) from a wrong path (404). */
export function collectRoutes(app: FastifyInstance): RouteIndex {
  const routes: IndexedRoute[] = [];
  const fixed = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    for (const each of [method].flat()) routes.push({ pattern: patternOf(url), method: each });
    if (!/[:*]/.test(url)) fixed.set(url, [...(fixed.get(url) ?? []), ...[method].flat()]);
  });
  return {
    methodsAt(url) {
      const path = pathOf(url);
      const matching = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(fixed.get(path) ?? matching)].sort();
    },
    isOfOtherRoute: (url, route) => route?.includes(':') === true && fixed.has(pathOf(url)),
  };
}

/** As the router reads it: of an absolute-form target (RFC 9112 §3.2.2) only the path, decoded. */
function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/, 1);
  return path.includes('%') ? decodeURI(path) : path;
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => {
      if (segment === '*') return '.*';
      return segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment);
    })
    .join('/');
  return new RegExp(`^${source}$`);
}
