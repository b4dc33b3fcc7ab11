import { Button, Collapse, Menu, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconChevronDown, IconFilter, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import type { ChangeUrl, UrlState } from './app/url-state.ts';
import styles from './parts.module.css';
import { severalOf } from './several.ts';
import { RangePicker } from './range-picker.tsx';

interface Named {
  /** In the address, and in the query of the operation. */
  name: string;
  label: string;
  /** Shown only when asked for. */
  more?: boolean;
}

export type Filter =
  | (Named & { kind: 'text'; placeholder?: string })
  | (Named & {
      kind: 'select';
      options: { value: string; label: string }[];
      /** What it is called that nothing is chosen; any unless said. */
      unset?: string;
    })
  /** Several at once; they stand in the address with commas. */
  | (Named & { kind: 'several'; options: { value: string; label: string }[] })
  | { name: 'range'; kind: 'range'; label: string; initial: string; more?: never };

/** The filters of a list. What is chosen stands in the address and nowhere else. */
export function FilterBar({
  filters,
  state,
  change,
}: {
  filters: Filter[];
  state: UrlState;
  change: ChangeUrl;
}) {
  const t = useMessages('parts');
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  // A phone would show little but filters: the first one and the range stay.
  const isHidden = (filter: Filter): boolean =>
    filter.more === true || (isNarrow && filter !== filters[0] && filter.kind !== 'range');
  const hidden = filters.filter(isHidden);
  const isSet = ({ name }: Filter): boolean => state[name] !== undefined;
  const [opened, { toggle }] = useDisclosure(hidden.some(isSet));
  const show = (filter: Filter) => <Field key={filter.name} filter={filter} state={state} change={change} />;
  return (
    <search className={styles['filters']} aria-label={t.filters}>
      <div className={styles['filterRow']}>
        {filters.filter((filter) => !isHidden(filter)).map(show)}
        {hidden.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            onClick={toggle}
            leftSection={<IconFilter size={16} />}
            aria-expanded={opened}
          >
            {opened ? t.fewer_filters : t.more_filters}
          </Button>
        )}
        {filters.some(isSet) && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={16} />}
            onClick={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
          >
            {t.clear}
          </Button>
        )}
      </div>
      {hidden.length > 0 && (
        <Collapse expanded={opened}>
          <div className={styles['filterRow']}>{opened && hidden.map(show)}</div>
        </Collapse>
      )}
    </search>
  );
}

function Field({ filter, state, change }: { filter: Filter; state: UrlState; change: ChangeUrl }) {
  const t = useMessages('parts');
  const value = state[filter.name];
  if (filter.kind === 'range') {
    return <RangePicker value={value ?? filter.initial} onChange={(range) => change({ range })} />;
  }
  if (filter.kind === 'text')
    return <TextField key={filter.name} filter={filter} value={value ?? ''} change={change} />;
  if (filter.kind === 'several') return <Several filter={filter} value={value} change={change} />;
  return (
    <Select
      aria-label={filter.label}
      className={styles['filter']}
      placeholder={filter.label}
      data={[{ value: '', label: `${filter.label}: ${filter.unset ?? t.any}` }, ...filter.options]}
      value={value ?? ''}
      onChange={(chosen) => change({ [filter.name]: chosen || undefined })}
    />
  );
}

function Several({
  filter: { name, label, options },
  value,
  change,
}: {
  filter: Filter & { kind: 'several' };
  value: string | undefined;
  change: ChangeUrl;
}) {
  const t = useMessages('parts');
  const chosen = severalOf(value);
  const named = options.filter((option) => chosen.includes(option.value));
  const choose = (one: string): void => {
    const next = options
      .map((option) => option.value)
      .filter((each) => (each === one ? !chosen.includes(each) : chosen.includes(each)));
    change({ [name]: next.join(',') || undefined });
  };
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="default"
          fw={400}
          className={styles['filter']}
          justify="space-between"
          rightSection={<IconChevronDown size={16} />}
        >
          {`${label}: ${named.length === 0 ? t.any : named.map((option) => option.label).join(', ')}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map((option) => {
          const isChosen = chosen.includes(option.value);
          return (
            <Menu.Item
              key={option.value}
              role="menuitemcheckbox"
              aria-checked={isChosen}
              leftSection={isChosen ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => choose(option.value)}
            >
              {option.label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The address follows what is typed, once the typing rests. */
function TextField({
  filter,
  value,
  change,
}: {
  filter: Filter & { kind: 'text' };
  value: string;
  change: ChangeUrl;
}) {
  const [typed, setTyped] = useState(value);
  const follow = useDebouncedCallback(
    (text: string) => change({ [filter.name]: text.trim() || undefined }, { replace: true }),
    300,
  );
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      aria-label={filter.label}
      className={styles['filter']}
      placeholder={filter.placeholder ?? filter.label}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        follow(target.value);
      }}
    />
  );
}
