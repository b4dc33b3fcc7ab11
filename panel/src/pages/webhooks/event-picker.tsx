import { Checkbox, Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../../messages/use-messages.ts';
import { eventTypes, type EventType } from './event-types.ts';

/** Null means all events, including future ones; otherwise the chosen ones. */
export function EventPicker({
  value,
  onChange,
  error,
  all,
}: {
  value: EventType[] | null;
  onChange: (events: EventType[] | null) => void;
  error?: ReactNode;
  /** What null is called. */
  all?: string;
}) {
  const t = useMessages('webhooks');
  const names = useMessages('webhook_events');
  return (
    <Stack gap="xs" role="group" aria-label={t.events}>
      <Input.Label component="span">{t.events}</Input.Label>
      <Checkbox
        label={all ?? t.all_events}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
      />
      {value !== null && (
        <Checkbox.Group
          aria-label={t.events}
          value={value}
          onChange={(chosen) => onChange(eventTypes.filter((each) => chosen.includes(each)))}
          error={error}
        >
          <Stack gap="xs" pb="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} value={type} label={names[type].name} description={names[type].about} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
