import type { PageName } from '../../parts/app/places.ts';

type Search = Readonly<Record<string, string | undefined>>;
interface List {
  page: PageName;
  search?: Search;
}

export const figureNames = [
  'received',
  'sent',
  'bounced',
  'unique_opens',
  'unique_clicks',
  'complaints',
] as const;
export type Name = (typeof figureNames)[number];

/** The list that a figure counts. It has tests too, which are marked there and counted nowhere. */
const places: Record<Name, List> = {
  received: { page: 'mails' },
  sent: { page: 'mails', search: { status: '3' } },
  bounced: { page: 'mails', search: { status: '6' } },
  unique_opens: { page: 'mails', search: { opened: 'opened' } },
  unique_clicks: { page: 'activity', search: { list: 'clicks', group_by: 'mail_id' } },
  complaints: { page: 'suppressions', search: { list: 'complaints' } },
};

/** What the lists keep: the range and whose mail. */
export function keptOf({ range, sender_id, domain_id, category, custom_group_code }: Search): Search {
  return { range, sender_id, domain_id, category, custom_group_code };
}

/** Without the sandbox unless it is asked for; undefined for both. */
export function sandboxOf({ sandbox }: Search): boolean | undefined {
  return sandbox === 'all' ? undefined : sandbox === 'only';
}

/** The list behind a figure, with the range and the filters of the overview. */
export function placeOf(name: Name, state: Search): Required<List> {
  const { page, search } = places[name];
  const sandbox = page === 'mails' ? sandboxOf(state)?.toString() : undefined;
  return { page, search: { ...search, sandbox, ...keptOf(state) } };
}
