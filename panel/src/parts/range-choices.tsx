import { Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useInstance } from './app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import styles from './parts.module.css';
import { datesOf, presets } from './range.ts';

/** The spans that can be chosen, or any two dates. */
export function RangeChoices({ value, onChoose }: { value: string; onChoose: (range: string) => void }) {
  const t = useMessages('parts');
  const { timezone } = useInstance();
  const [dates, setDates] = useState(() => datesOf(value, timezone));
  return (
    <Stack gap={2}>
      {presets.map((each) => (
        <UnstyledButton
          key={each}
          className={styles['choice']}
          data-chosen={each === value || undefined}
          onClick={() => onChoose(each)}
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
      <Button size="xs" mt="xs" onClick={() => onChoose(`${dates.start_date}..${dates.end_date}`)}>
        {t.apply}
      </Button>
    </Stack>
  );
}
