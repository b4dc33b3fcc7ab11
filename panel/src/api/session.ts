import type { PanelSession } from './operations.ts';
import { ApiProblem } from './problem.ts';
import { send } from './request.ts';
import { createStore } from './store.ts';

/** Who is signed in; `unknown` until the refresh cookie was tried. */
export type Session =
  | { state: 'unknown' }
  | { state: 'signed-out' }
  | ({ state: 'signed-in' } & Pick<PanelSession, 'user' | 'instances'>);

export const session = createStore<Session>({ state: 'unknown' });

/** The access token is held here and nowhere else: no storage, no cookie, no page can read it. */
let token: { value: string; ends_at: number } | undefined;
let refreshing: Promise<boolean> | undefined;

/** Scripts cannot see the refresh cookie; this says that trying it is worth a request. It is not a secret. */
const hint = 'chasqui-has-session';
const earlyMs = 30_000;
/** Browsers do not let other sites send it. */
export const panelHeader = { 'x-requested-with': 'chasqui-panel' };

export function begin({ access_token, expires_in, user, instances }: PanelSession): void {
  token = { value: access_token, ends_at: Date.now() + expires_in * 1000 };
  localStorage.setItem(hint, '1');
  session.set({ state: 'signed-in', user, instances });
}

export function end(): void {
  token = undefined;
  localStorage.removeItem(hint);
  session.set({ state: 'signed-out' });
}

/** When the page opens: the session of the cookie, if there is one. */
export async function restore(): Promise<void> {
  if (localStorage.getItem(hint) === null) return end();
  if (!(await refresh())) end();
}

/** Whether there is a new access token. Throws in an outage, which says nothing about the session. */
export async function refresh(): Promise<boolean> {
  refreshing ??= renew().finally(() => (refreshing = undefined));
  return await refreshing;
}

async function renew(): Promise<boolean> {
  try {
    const response = await send('panel_refresh_session', {}, { headers: panelHeader });
    begin((await response.json()) as PanelSession);
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return false;
    throw error;
  }
}

/** Whether an instance waits for a second factor of this person. */
export function needsSecondFactor(): boolean {
  const current = session.get();
  return current.state === 'signed-in' && current.instances.some((each) => each.needs_second_factor);
}

/** A token that holds for a while yet; undefined when the session is over. */
export async function accessToken(): Promise<string | undefined> {
  if (token && token.ends_at - Date.now() > earlyMs) return token.value;
  return (await refresh()) ? token?.value : undefined;
}

export async function signOut(): Promise<void> {
  await send('panel_sign_out', {}, { headers: panelHeader });
  end();
}

/** Another tab signed out or in. */
addEventListener('storage', ({ key, newValue }) => {
  if (key !== hint) return;
  if (newValue === null) end();
  else if (session.get().state === 'signed-out') void restore();
});
