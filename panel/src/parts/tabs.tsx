import { Tabs } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useUrlState } from './app/url-state.ts';
import styles from './parts.module.css';

export interface Tab {
  name: string;
  label: string;
  count?: ReactNode;
  content: () => ReactNode;
}

/** Tabs whose choice stands in the address; only the open one is made. */
export function UrlTabs({ tabs, label, name = 'tab' }: { tabs: Tab[]; label: string; name?: string }) {
  const [state, change] = useUrlState();
  const [first] = tabs;
  const open = tabs.find((each) => each.name === state[name]) ?? first;
  const list = useRef<HTMLDivElement>(null);
  // On a phone the row scrolls, and the open one may stand beyond its edge.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector('[aria-selected=true]');
    if (!row || !tab) return;
    const [edges, own] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
    // Only the row: scrollIntoView moves the page too, which then opens at its middle.
    row.scrollLeft += Math.max(0, own.right - edges.right) - Math.max(0, edges.left - own.left);
  }, [open?.name]);
  return (
    <Tabs
      value={open?.name ?? null}
      onChange={(chosen) =>
        change({ [name]: chosen === first?.name ? undefined : (chosen ?? undefined) }, { replace: true })
      }
      keepMounted={false}
    >
      <Tabs.List ref={list} aria-label={label} mb="md" className={styles['tabs']}>
        {tabs.map((each) => (
          <Tabs.Tab key={each.name} value={each.name} rightSection={each.count}>
            {each.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((each) => (
        <Tabs.Panel key={each.name} value={each.name}>
          {each.name === open?.name && each.content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
