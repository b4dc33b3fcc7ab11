import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { places, type PageName } from './places.ts';
import { useInstance } from './instance.tsx';

/** Where a page is: its name, what it is about, and its state. */
export interface Place {
  page: PageName;
  id?: string | number;
  search?: Record<string, string | undefined>;
}

export function pathOf(slug: string, { page, id }: Place): string {
  const path = places[page].replace('$id', encodeURIComponent(String(id ?? '')));
  return `/i/${encodeURIComponent(slug)}${path === '/' ? '' : path}`;
}

/** What `<Link>` and `navigate` of the router take. */
export function linkTo(slug: string, place: Place) {
  return { to: pathOf(slug, place), search: (place.search ?? {}) as never };
}

export function PageLink({
  page,
  id,
  search,
  children,
  ...rest
}: Place & AnchorProps & { children: ReactNode }) {
  const { slug } = useInstance();
  return (
    <Anchor renderRoot={(props) => <Link {...props} {...linkTo(slug, { page, id, search })} />} {...rest}>
      {children}
    </Anchor>
  );
}
