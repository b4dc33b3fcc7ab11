import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlState } from '../shell/url-state.ts';

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
  return (
    <Tabs
      value={open?.name ?? null}
      onChange={(chosen) =>
        change({ [name]: chosen === first?.name ? undefined : (chosen ?? undefined) }, { replace: true })
      }
      keepMounted={false}
    >
      <Tabs.List aria-label={label} mb="md">
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
