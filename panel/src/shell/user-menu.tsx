import { Menu, Text, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconChevronUp,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconServerCog,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { session, signOut } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import styles from './frame.module.css';
import { languageNames, languages, useLanguage } from '../api/language.ts';
import { chooseLanguage, useMessages } from '../messages/use-messages.ts';
import { themes, useChangeMe, useMe, usePreferences, useTheme } from '../parts/app/me.ts';

const icons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop };

export function UserMenu() {
  const t = useMessages('shell');
  const current = useStore(session);
  const [theme, chooseTheme] = useTheme();
  const save = useChangeMe();
  const chosen = useLanguage();
  const navigate = useNavigate();
  const me = useMe();
  usePreferences();
  if (current.state !== 'signed-in') return null;
  const { email, name } = current.user;
  const check = (isChosen: boolean) => (isChosen ? <IconCheck size={14} aria-hidden /> : null);
  return (
    <Menu position="top-start" width={232}>
      <Menu.Target>
        <UnstyledButton className={styles['switch']} data-user-menu>
          <span className={styles['face']} aria-hidden>
            {(name || email).slice(0, 1)}
          </span>
          <span className={styles['name']}>
            <Text size="sm" truncate>
              {name || email}
            </Text>
          </span>
          <IconChevronUp size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          onClick={() => void navigate({ to: '/account' })}
        >
          {t.account}
        </Menu.Item>
        {me?.is_operator && (
          <Menu.Item
            leftSection={<IconServerCog size={16} />}
            onClick={() => void navigate({ to: '/operator' })}
          >
            {t.installation}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{t.theme}</Menu.Label>
        {themes.map((each) => {
          const Icon = icons[each];
          return (
            <Menu.Item
              key={each}
              leftSection={<Icon size={16} />}
              rightSection={check(theme === each)}
              onClick={() => chooseTheme(each)}
            >
              {t.themes[each]}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.Label>{t.language}</Menu.Label>
        {languages.map((each) => (
          <Menu.Item
            key={each}
            rightSection={check(each === chosen)}
            onClick={() => {
              void chooseLanguage(each);
              void save({ language: each }).catch(() => undefined);
            }}
          >
            {languageNames[each]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t.sign_out}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
