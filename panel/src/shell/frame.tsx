import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch, IconX } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { AlertBell } from './alert-bell.tsx';
import { ConnectionBar } from '../parts/app/connection-bar.tsx';
import styles from './frame.module.css';
import { InstanceSwitch } from './instance-switch.tsx';
import { useInstanceIfAny } from '../parts/app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { LoadingLine } from './loading-line.tsx';
import { Navigation } from './navigation.tsx';
import { openPalette, Palette } from './palette.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';
import { OrWaiting } from './waiting-page.tsx';

/** What stands around every page: the navigation beside it, on phones above it. */
export function Frame({ children }: { children: ReactNode }) {
  const t = useMessages('shell');
  const instance = useInstanceIfAny();
  const [opened, { toggle, close }] = useDisclosure();
  // One bell: it reads by itself.
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const pages = useActiveShown();
  useEscape(opened, close);
  const MenuIcon = opened ? IconX : IconMenu2;
  return (
    <div className={styles['frame']}>
      <LoadingLine />
      <a href="#content" className={styles['skip']}>
        {t.skip}
      </a>
      <header className={styles['top']}>
        <UnstyledButton
          onClick={toggle}
          aria-label={t.menu}
          aria-expanded={opened}
          aria-controls="navigation"
          p="xs"
        >
          <MenuIcon size={20} aria-hidden />
        </UnstyledButton>
        <div className={styles['name']}>
          <InstanceSwitch />
        </div>
        {instance && !isWide && <AlertBell />}
        {instance && (
          <UnstyledButton onClick={openPalette} aria-label={t.find} p="xs">
            <IconSearch size={20} aria-hidden />
          </UnstyledButton>
        )}
      </header>
      <nav className={styles['rail']} id="navigation" aria-label={t.menu} data-opened={opened || undefined}>
        <div className={styles['wide']}>
          <InstanceSwitch />
          {instance && (
            <div className={styles['tools']}>
              <UnstyledButton className={styles['find']} onClick={openPalette}>
                <IconSearch size={16} aria-hidden />
                <span className={styles['name']}>{t.find}</span>
                <Kbd size="xs">/</Kbd>
              </UnstyledButton>
              {isWide && <AlertBell />}
            </div>
          )}
        </div>
        <div className={styles['pages']} ref={pages}>
          {instance && <Navigation onFollow={close} />}
        </div>
        <UserMenu />
      </nav>
      <div className={styles['body']}>
        <ConnectionBar />
        <div id="content" tabIndex={-1} className={styles['content']}>
          <OrWaiting>{children}</OrWaiting>
        </div>
      </div>
      {instance && <Palette />}
      {instance && <Shortcuts />}
    </div>
  );
}

/** Where the window is low the list of pages scrolls: the open one is never beyond its edge. */
function useActiveShown() {
  const list = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    const active = list.current?.querySelector('[data-status=active]');
    if (!list.current || !active) return;
    const [edges, own] = [list.current.getBoundingClientRect(), active.getBoundingClientRect()];
    list.current.scrollTop += Math.max(0, own.bottom - edges.bottom) - Math.max(0, edges.top - own.top);
  }, [path]);
  return list;
}

function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = ({ key }: KeyboardEvent): void => void (key === 'Escape' && close());
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen, close]);
}
