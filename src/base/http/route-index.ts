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
      const [path = ''] = url.split('?', 1);
      const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(methods)].sort();
    },
  };
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
