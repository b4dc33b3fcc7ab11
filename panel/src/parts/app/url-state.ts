import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What the address says after the `?`; a value that is not there is undefined. */
export type UrlState = Readonly<Record<string, string | undefined>>;
export type ChangeUrl = (changes: Record<string, string | undefined>, how?: { replace?: boolean }) => void;

/**
 * The state of a page that outlives it: filters, page, tab and range. Whatever changes but the page and what is open
 * leads back to the first page.
 */
export function useUrlState(): [UrlState, ChangeUrl] {
  const state = useSearch({ strict: false }) as UrlState;
  const navigate = useNavigate();
  const change = useCallback<ChangeUrl>(
    (changes, { replace = false } = {}) => {
      const next = (before: UrlState): UrlState => {
        const merged = { ...before, ...changes };
        if (!('page' in changes) && !('tab' in changes) && !('open' in changes)) delete merged['page'];
        return Object.fromEntries(
          Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''),
        );
      };
      void navigate({ to: '.', search: next, replace, resetScroll: false });
    },
    [navigate],
  );
  return [state, change];
}

/** Addresses that people can read: `?status=bounced&page=2`. */
export function parseSearch(text: string): UrlState {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(state: Record<string, unknown>): string {
  const entries = Object.entries(state).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
