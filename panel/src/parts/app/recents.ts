import { session } from '../../api/session.ts';

/** A page about one thing that was open in this tab. */
export interface Recent {
  /** Below the panel: `/i/demo/domains/4`. */
  path: string;
  title: string;
}

const key = 'chasqui-recents';
const most = 6;
const base = '/panel';

/** Newest first; those of one instance. */
export function recentsOf(slug: string): Recent[] {
  return read().filter(({ path }) => path.startsWith(`/i/${slug}/`));
}

/** Kept for this tab, until the person signs out. */
export function rememberPage(title: string, pathname = location.pathname): void {
  if (!pathname.startsWith(`${base}/i/`)) return;
  const path = pathname.slice(base.length);
  const others = read().filter((each) => each.path !== path);
  sessionStorage.setItem(
    key,
    JSON.stringify([{ path, title: title.slice(0, 80) }, ...others].slice(0, 5 * most)),
  );
}

export const shownRecents = (slug: string, current: string): Recent[] =>
  recentsOf(slug)
    .filter(({ path }) => path !== current)
    .slice(0, most);

function read(): Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as Recent[];
  } catch {
    return [];
  }
}

session.subscribe(() => {
  if (session.get().state === 'signed-out') sessionStorage.removeItem(key);
});
