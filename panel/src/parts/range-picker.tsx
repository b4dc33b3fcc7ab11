import { Button, Group, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { useInstance } from '../shell/instance.tsx';
import { useWords } from '../shell/languages.ts';
import styles from './parts.module.css';
import { datesOf, presets } from './range.ts';
import { words } from './words.ts';

/** Which days a page is about. */
export function RangePicker({ value, onChange }: { value: string; onChange: (range: string) => void }) {
  const t = useWords(words);
  const { timezone } = useInstance();
  const [opened, { toggle, close }] = useDisclosure();
  const [dates, setDates] = useState(() => datesOf(value, timezone));
  const preset = presets.find((each) => each === value);
  const choose = (range: string): void => {
    setDates(datesOf(range, timezone));
    onChange(range);
    close();
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalendar size={16} />} onClick={toggle}>
          {preset ? t.ranges[preset] : value.replace('..', ' – ')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t.range}>
        <Stack gap={2}>
          {presets.map((each) => (
            <UnstyledButton
              key={each}
              className={styles['choice']}
              data-chosen={each === value || undefined}
              onClick={() => choose(each)}
            >
              {t.ranges[each]}
            </UnstyledButton>
          ))}
          <Group gap="xs" mt="xs" wrap="nowrap" align="end">
            <TextInput
              type="date"
              size="xs"
              label={t.from}
              value={dates.start_date}
              max={dates.end_date}
              onChange={({ target }) => setDates({ ...dates, start_date: target.value })}
            />
            <TextInput
              type="date"
              size="xs"
              label={t.to}
              value={dates.end_date}
              min={dates.start_date}
              onChange={({ target }) => setDates({ ...dates, end_date: target.value })}
            />
          </Group>
          <Button size="xs" mt="xs" onClick={() => choose(`${dates.start_date}..${dates.end_date}`)}>
            {t.apply}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
