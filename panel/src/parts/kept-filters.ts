import type { UrlState } from './app/url-state.ts';

/** Parameters that a view does not keep: those that name a recipient or one mail, and those that are not filters. */
const leftOut = new Set([
  'recipient',
  'contact',
  'search',
  'mail_id',
  'msg_id',
  'custom_msg_id',
  'actor_id',
  'object_id',
  'open',
  'page',
  'live',
]);

/** What of an address a view keeps. */
export function keptOf(state: UrlState): Record<string, string> {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) =>
      value === undefined || leftOut.has(name) || value.includes('@') ? [] : [[name, value]],
    ),
  );
}

/** Whether the list is shown as the view says. */
export function isOfView(state: UrlState, view: Readonly<Record<string, string>>): boolean {
  const kept = keptOf(state);
  const names = Object.keys(kept);
  return names.length === Object.keys(view).length && names.every((name) => kept[name] === view[name]);
}
