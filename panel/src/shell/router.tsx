import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { pages, type PageEntry } from '../pages/pages.ts';
import { accountPages, openPages } from '../pages/account-pages.ts';
import { InstanceRoute, SignedInRoute } from './guarded-routes.tsx';
import { retryingLoad } from './load-page.ts';
import { FailedPage, MissingPage } from './missing-page.tsx';
import { parseSearch, stringifySearch, type UrlState } from './url-state.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage });

/** The router asks for it to be thrown, though it is no error. */
const away = redirect as unknown as (to: object) => Error;

/** Pages for anyone: signing in and what leads there. */
const open = openPages.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(retryingLoad(load), 'Page'),
  }),
);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(
    retryingLoad(async () => await import('../pages/sign-in/page.tsx')),
    'Page',
  ),
  beforeLoad: ({ search }) => {
    if (session.get().state === 'signed-in') {
      throw away({ href: placeOf((search as UrlState)['back']), replace: true });
    }
  },
});

/** Whoever is not signed in signs in first, and comes back to the same address. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInRoute,
  beforeLoad: ({ location }) => {
    if (session.get().state === 'signed-in') return;
    const back = location.pathname === '/' ? undefined : location.href;
    throw away({ to: '/sign-in', search: { back }, replace: true });
  },
});

/** Where the person came from: a place of the panel and never another site. */
function placeOf(back: string | undefined): string {
  return back !== undefined && /^\/(?![/\\])/.test(back) ? back : '/';
}

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    const current = session.get();
    const [first] = current.state === 'signed-in' ? current.instances : [];
    if (first) throw away({ to: `/i/${first.slug}`, replace: true });
  },
});

const account = accountPages.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component: lazyRouteComponent(retryingLoad(load), 'Page'),
  }),
);

const instance = createRoute({
  getParentRoute: () => signedIn,
  path: '/i/$slug',
  component: InstanceRoute,
});

const ofInstance = Object.values(pages).map(({ path, load }: PageEntry) =>
  createRoute({
    getParentRoute: () => instance,
    path,
    component: lazyRouteComponent(retryingLoad(load), 'Page'),
  }),
);

const tree = root.addChildren([
  ...open,
  signIn,
  signedIn.addChildren([home, ...account, instance.addChildren(ofInstance as AnyRoute[])] as AnyRoute[]),
] as AnyRoute[]);

export const router = createRouter({
  routeTree: tree,
  basepath: '/panel',
  parseSearch,
  stringifySearch: stringifySearch as never,
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
});
