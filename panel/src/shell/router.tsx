import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { session } from '../api/session.ts';
import { placeOf } from '../parts/app/back.ts';
import { places, type PageName } from '../parts/app/places.ts';
import { pages, type PageEntry } from '../pages/pages.ts';
import { accountPages, openPages } from '../pages/account-pages.ts';
import { FramedRoute, HomeRoute, InstanceRoute, SignedInRoute } from './guarded-routes.tsx';
import { lastInstance } from './last-instance.ts';
import { retryingLoad } from '../api/retrying-load.ts';
import { loadMessages } from '../messages/use-messages.ts';
import type { Subject } from '../messages/vocabulary.ts';
import { FailedPage, MissingPage } from './missing-page.tsx';
import { parseSearch, stringifySearch, type UrlState } from '../parts/app/url-state.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage });

/** The router asks for it to be thrown, though it is not an error. */
const away = redirect as unknown as (to: object) => Error;

/** The code of a page, and what it says in the language of the reader. */
function pageOf({ says, load }: { says: Subject[]; load: () => Promise<{ Page: FunctionComponent }> }) {
  const loadPage = retryingLoad(load);
  return lazyRouteComponent(async () => (await Promise.all([loadPage(), loadMessages(...says)]))[0], 'Page');
}

/** Pages for anyone: signing in and what leads there. */
const open = openPages.map(({ path, says, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: pageOf({ says, load }),
  }),
);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: pageOf({
    says: ['sign_in'],
    load: async () => await import('../pages/sign-in/page.tsx'),
  }),
  beforeLoad: ({ search }) => {
    if (session.get().state === 'signed-in') {
      throw away({ href: placeOf((search as UrlState)['back']), replace: true });
    }
  },
});

/** A visitor who is not signed in signs in first, and comes back to the same address. */
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

const framed = createRoute({
  getParentRoute: () => signedIn,
  id: 'framed',
  component: FramedRoute,
  notFoundComponent: MissingPage,
});

const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  component: HomeRoute,
  beforeLoad: () => {
    const current = session.get();
    const instance = current.state === 'signed-in' ? lastInstance(current.instances) : undefined;
    if (instance) throw away({ to: `/i/${instance.slug}`, replace: true });
  },
});

const account = accountPages.map(({ path, says, load }) =>
  createRoute({
    getParentRoute: () => framed,
    path,
    component: pageOf({ says, load }),
  }),
);

const instance = createRoute({
  getParentRoute: () => framed,
  path: '/i/$slug',
  component: InstanceRoute,
  notFoundComponent: MissingPage,
});

const ofInstance = (Object.entries(pages) as [PageName, PageEntry][]).map(([name, { says, load }]) =>
  createRoute({
    getParentRoute: () => instance,
    path: places[name],
    component: pageOf({ says, load }),
  }),
);

/** An address that leads nowhere is said inside of the frame, from which every page can be reached. */
const missing = [framed, instance].map((parent) =>
  createRoute({ getParentRoute: () => parent as AnyRoute, path: '$', component: MissingPage }),
);

const ofFrame = framed.addChildren([
  home,
  ...account,
  instance.addChildren([...ofInstance, ...missing.slice(1)] as AnyRoute[]),
  ...missing.slice(0, 1),
] as AnyRoute[]);
const tree = root.addChildren([...open, signIn, signedIn.addChildren([ofFrame])] as AnyRoute[]);

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
