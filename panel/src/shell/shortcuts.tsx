import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { useInstance } from '../parts/app/instance.tsx';
import { linkTo } from '../parts/app/page-link.tsx';
import { JumpKeys } from './jumps.ts';
import { usePages } from './navigation.tsx';

const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));

const isOpen = createStore<boolean | undefined>(undefined);
export const openShortcuts = (): void => isOpen.set(true);

/** `g` and a letter lead to a page, `?` shows all keys. */
export function Shortcuts() {
  const { slug } = useInstance();
  const navigate = useNavigate();
  const pages = usePages();
  const opened = useStore(isOpen);
  const allowed = pages.map(({ name }) => name).join(' ');
  useEffect(() => {
    const keys = new JumpKeys();
    const names = new Set(allowed.split(' '));
    const onKey = ({ key, ctrlKey, metaKey, altKey, target, timeStamp }: KeyboardEvent): void => {
      if (ctrlKey || metaKey || altKey || isBusy(target)) return;
      const page = keys.press(key, timeStamp);
      if (page !== undefined && names.has(page)) void navigate(linkTo(slug, { page }));
      else if (key === '?') openShortcuts();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [allowed, navigate, slug]);
  if (opened === undefined) return null;
  return (
    <Suspense>
      <ShortcutSheet
        opened={opened}
        onClose={() => isOpen.set(false)}
        pages={pages.map(({ name }) => name)}
      />
    </Suspense>
  );
}

/** Somebody types, or answers a dialog. */
function isBusy(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null)
  );
}
