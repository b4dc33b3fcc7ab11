import { act, createElement, Suspense, type ReactNode } from 'react';
import type { OperationId } from '../src/api/request.ts';
import type { Role } from '../src/api/roles.ts';

const { MantineProvider } = await import('@mantine/core');
const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query');
const { createRoot } = await import('react-dom/client');
const { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } =
  await import('@tanstack/react-router');
const { readOf } = await import('../src/api/read.ts');
const { InstanceProvider } = await import('../src/parts/app/instance.tsx');
const { parseSearch, stringifySearch } = await import('../src/parts/app/url-state.ts');
const { loadMessages } = await import('../src/messages/use-messages.ts');
await loadMessages('parts', 'shell', 'pages');

export interface Rendered {
  /** Everything that is shown, dialogs too. */
  text: () => string;
  /** The one element with this role and name; throws where there are none or more. */
  get: (role: 'button' | 'textbox' | 'checkbox' | 'link', name: string, where?: Where) => HTMLElement;
  click: (role: 'button' | 'checkbox' | 'link', name: string, where?: Where) => Promise<void>;
  type: (name: string, value: string) => Promise<void>;
  end: () => Promise<void>;
}

interface Where {
  /** The dialog that was opened last, over everything else. */
  within?: 'last dialog';
}

/** What a read of the instance answers, by the operation and its input. */
export type Answer = [operation: OperationId, input: object, result: unknown];

/** Shows a component as on a page of the instance `acme`, whose time is that of Santiago. Reads answer what is given. */
export async function renderPage(
  shown: ReactNode,
  { answers = [], role = 'admin', search = '' }: { answers?: Answer[]; role?: Role; search?: string } = {},
): Promise<Rendered> {
  const instance = { slug: 'acme', name: 'Acme', role, timezone: 'America/Santiago' };
  const rootRoute = createRootRoute({
    component: () => createElement(InstanceProvider, { instance, children: shown }),
  });
  const splat = createRoute({ getParentRoute: () => rootRoute, path: '$', component: () => null });
  const router = createRouter({
    routeTree: rootRoute.addChildren([splat]),
    history: createMemoryHistory({ initialEntries: [`/i/acme/page${search}`] }),
    parseSearch,
    stringifySearch: stringifySearch as never,
  });
  await router.load();
  return await render(createElement(RouterProvider, { router } as never), [
    ['panel_get_me', {}, { instances: [instance], email: 'ana@example.com' }],
    ...answers,
  ]);
}

/** Shows a component as the panel does: with its theme and its messages. */
export async function render(shown: ReactNode, answers: Answer[] = []): Promise<Rendered> {
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, gcTime: Infinity },
      mutations: { gcTime: Infinity },
    },
  });
  for (const [operation, input, result] of answers) {
    const isOfInstance = operation !== 'panel_get_me' && !operation.startsWith('operator_');
    const slug = isOfInstance ? 'acme' : undefined;
    queries.setQueryData(readOf(operation, input as never, slug).queryKey, result as never);
  }
  await act(async () => {
    root.render(
      createElement(
        MantineProvider,
        {
          theme: {
            respectReducedMotion: true,
            components: { Modal: { defaultProps: { transitionProps: { duration: 0 } } } },
          },
        } as never,
        createElement(QueryClientProvider, { client: queries }, createElement(Suspense, null, shown)),
      ),
    );
  });
  await painted();
  const get: Rendered['get'] = (role, name, { within } = {}) => {
    const scope = within ? [...document.querySelectorAll('[role=dialog]')].at(-1) : document;
    const selector = {
      button: 'button',
      textbox: 'input, textarea',
      checkbox: 'input[type=checkbox]',
      link: 'a',
    }[role];
    const found = [...(scope?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
      (each) => nameOf(each) === name,
    );
    const [only] = found;
    if (!only || found.length > 1) throw new Error(`${found.length} of ${role} “${name}” in: ${shownText()}`);
    return only;
  };
  return {
    text: shownText,
    get,
    async click(role, name, where) {
      await act(async () => get(role, name, where).click());
      await painted();
    },
    async type(name, value) {
      const input = get('textbox', name);
      const own = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
      await act(async () => {
        // React follows the setter of the element's own class.
        Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set?.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    async end() {
      await act(async () => root.unmount());
      host.remove();
    },
  };
}

function shownText(): string {
  const body = document.body.cloneNode(true) as HTMLElement;
  for (const style of body.querySelectorAll('style')) style.remove();
  return (body.textContent ?? '').trim();
}

/** Dialogs come and go with a frame. */
async function painted(): Promise<void> {
  await act(async () => {
    await new Promise((done) => requestAnimationFrame(done));
  });
}

function nameOf(element: HTMLElement): string {
  const label = element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`);
  return (element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent ?? '').trim();
}
