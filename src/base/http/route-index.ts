import type { FastifyInstance } from 'fastify';

interface IndexedRoute {
  pattern: RegExp;
  methods: string[];
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
  const bySegments = new Map<number, IndexedRoute[]>();
  const open: IndexedRoute[] = [];
  const fixed = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat();
    const routes = url.includes('*') ? open : (bySegments.get(segmentsOf(url)) ?? []);
    if (!url.includes('*')) bySegments.set(segmentsOf(url), routes);
    routes.push({ pattern: patternOf(url), methods });
    if (!/[:*]/.test(url)) fixed.set(url, [...(fixed.get(url) ?? []), ...methods]);
  });
  return {
    methodsAt(url) {
      const path = pathOf(url);
      // A parameter is one segment. Comparing with all of some 900 routes took most of the time of a wrong path.
      const routes = [...open, ...(bySegments.get(segmentsOf(path)) ?? [])];
      const matching = (): string[] =>
        routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
      return [...new Set(fixed.get(path) ?? matching())].sort();
    },
    isOfOtherRoute: (url, route) => route?.includes(':') === true && fixed.has(pathOf(url)),
  };
}

/** As the router reads it: of an absolute-form target (RFC 9112 §3.2.2) only the path, decoded. */
function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/, 1);
  return path.includes('%') ? decodeURI(path) : path;
}

function segmentsOf(path: string): number {
  return path.split('/').length;
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
