import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../api/call.ts';
import type { Me, MyChanges } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { chooseLanguage } from '../../messages/use-messages.ts';

const mine = readOf('panel_get_me', {});

/** Who is signed in, with what they prefer; undefined until it is known. */
export function useMe(): Me | undefined {
  return useQuery({ ...mine, staleTime: 60_000 }).data;
}

export function useChangeMe(): (changes: MyChanges) => Promise<void> {
  const queries = useQueryClient();
  return async (body) => {
    queries.setQueryData(mine.queryKey, await call('panel_update_me', { body }));
  };
}

export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];
const schemes: Record<Theme, MantineColorScheme> = { light: 'light', dark: 'dark', system: 'auto' };

/** The theme of this browser at once, and of the account from the next sign-in on. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const save = useChangeMe();
  const choose = (theme: Theme): void => {
    setColorScheme(schemes[theme]);
    void save({ theme }).catch(() => undefined);
  };
  return [colorScheme === 'auto' ? 'system' : colorScheme, choose];
}

/** Language and theme follow the account, once it is known. */
export function usePreferences(): void {
  const me = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const followed = useRef(false);
  useEffect(() => {
    if (!me || followed.current) return;
    followed.current = true;
    if (me.language !== null) void chooseLanguage(me.language);
    if (me.theme !== 'system') setColorScheme(schemes[me.theme]);
  }, [me, setColorScheme]);
}
