import {
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';
import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { languageNames, languages, useLanguage } from '../api/language.ts';
import type { OperationId } from '../api/request.ts';
import { signOut } from '../api/session.ts';
import { chooseLanguage, useMessages } from '../messages/use-messages.ts';
import { useMay, useInstance } from '../parts/app/instance.tsx';
import { useChangeMe, useTheme } from '../parts/app/me.ts';
import { linkTo, type Place } from '../parts/app/page-link.tsx';
import { openShortcuts } from './shortcuts.tsx';

/** What can be begun from anywhere: the page opens with its dialog. */
const creations = {
  domains: 'panel_create_domain',
  senders: 'panel_create_sender',
  templates: 'panel_create_template',
  webhooks: 'panel_create_webhook',
  api_keys: 'panel_create_api_key',
  smtp_credentials: 'panel_create_smtp_credential',
  rights: 'panel_create_rights_request',
  team: 'panel_create_invitation',
} as const satisfies Partial<Record<Place['page'], OperationId>>;

export interface PaletteAction {
  id: string;
  label: string;
  icon: Icon;
  run: () => void;
}

/** What can be done from anywhere, by those who may. */
export function usePaletteActions(): PaletteAction[] {
  const t = useMessages('shell');
  const may = useMay();
  const { slug } = useInstance();
  const navigate = useNavigate();
  const language = useLanguage();
  const [, chooseTheme] = useTheme();
  const scheme = useComputedColorScheme();
  const save = useChangeMe();
  const names = Object.keys(creations) as (keyof typeof creations)[];
  const other = scheme === 'dark' ? 'light' : 'dark';
  return [
    ...names
      .filter((page) => may(creations[page]))
      .map((page) => ({
        id: `create-${page}`,
        label: t.create[page],
        icon: IconPlus,
        run: () => void navigate(linkTo(slug, { page, search: { add: '1' } })),
      })),
    {
      id: 'theme',
      label: t.use_theme[other],
      icon: other === 'dark' ? IconMoon : IconSun,
      run: () => chooseTheme(other),
    },
    ...languages
      .filter((each) => each !== language)
      .map((each) => ({
        id: `language-${each}`,
        label: t.use_language(languageNames[each]),
        icon: IconLanguage,
        run: () => {
          void chooseLanguage(each);
          void save({ language: each }).catch(() => undefined);
        },
      })),
    { id: 'shortcuts', label: t.shortcuts, icon: IconKeyboard, run: openShortcuts },
    { id: 'account', label: t.account, icon: IconUserCircle, run: () => void navigate({ to: '/account' }) },
    { id: 'sign-out', label: t.sign_out, icon: IconLogout, run: () => void signOut() },
  ];
}
