import type { FastifyInstance } from 'fastify';

interface IndexedRoute {
  pattern: RegExp;
  method: string;
}

/** Remembers every route as it is registered, to tell a wrong method (405, with Allow) from a wrong path (404). */
export function collectRoutes(app: FastifyInstance): { methodsAt(url: string): string[] } {
  const routes: IndexedRoute[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    for (const each of [method].flat()) routes.push({ pattern: patternOf(url), method: each });
  });
  return {
    methodsAt(url) {
      const path = pathOf(url);
      const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(methods)].sort();
    },
  };
}

/** As the router reads it: of an absolute-form target (RFC 9112 §3.2.2) the path alone, decoded. */
function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/, 1);
  return decodeURI(path);
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
