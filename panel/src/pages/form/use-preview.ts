import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FormDraft } from '../../api/operations.ts';
import type { Violation } from '../../api/problem.ts';
import { useLanguage } from '../../api/language.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { bodyOf, type Draft } from './draft.ts';

export type PreviewPage = NonNullable<FormDraft['page']>;

export interface Preview {
  html: string | undefined;
  /** What keeps the form from being saved, by where it is. */
  problems: Violation[];
  error: unknown;
}

const wait_ms = 250;

/** The page of the draft as the service would show it, soon after the last change. */
export function usePreview(id: number | undefined, draft: Draft, page: PreviewPage): Preview {
  const { new_title } = useMessages('form');
  const api = useApi();
  const language = useLanguage();
  const [{ lang, scheme }] = useUrlState();
  const body = useMemo(() => {
    const { name, kind, type, settings, items } = bodyOf(draft);
    return { id: id ?? null, name: name.trim() || new_title, kind, type, settings, items };
  }, [id, draft, new_title]);
  const [rested] = useDebouncedValue(body, wait_ms);
  const shown = {
    ...rested,
    page,
    lang: lang === 'en' || lang === 'es' ? lang : (draft.settings.language ?? language),
    scheme: scheme === 'dark' ? ('dark' as const) : ('light' as const),
  };
  const { data, error } = useQuery({ ...api.read('panel_preview_form', { body: shown }), gcTime: 10_000 });
  return {
    html: data?.html,
    problems: error?.errors.length ? error.errors : (data?.problems ?? []),
    error: error && error.errors.length === 0 ? error : undefined,
  };
}

/** The problem of one member, such as `/settings/design/logo_url`. */
export const problemAt = (problems: Violation[], pointer: string): string | undefined =>
  problems.find((each) => each.pointer === pointer)?.message;
