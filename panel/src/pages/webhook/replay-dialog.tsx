import { Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operations, Webhook } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { momentOf, wallTime } from '../../parts/zoned-time.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { EventPicker } from '../webhooks/event-picker.tsx';

type Replay = Operations['panel_replay_webhook']['body'];

const choices = {
  failed: ['failed'],
  undelivered: ['failed', 'discarded'],
  all: null,
} satisfies Record<string, Replay['states']>;
type Choice = keyof typeof choices;
const first: Choice = 'failed';
const dayMs = 86_400_000;
const minuteMs = 60_000;

interface Chosen {
  choice: Choice;
  from: string;
  until: string;
  types: Replay['types'];
}

const replayOf = ({ choice, from, until, types }: Chosen, timezone: string): Replay => ({
  from: momentOf(from, timezone),
  until: momentOf(until, timezone),
  types: types ?? null,
  states: choices[choice],
});

/** How many it would be, before it is done. */
function Matching({ id, values }: { id: number; values: Chosen }) {
  const t = useMessages('webhook');
  const api = useApi();
  const { timezone } = useInstance();
  const [rested] = useDebouncedValue(values, 300);
  const isWhole = rested.from !== '' && rested.until !== '';
  const { data } = useQuery({
    ...api.read('panel_replay_webhook', {
      params: { id },
      body: { ...(isWhole ? replayOf(rested, timezone) : { from: '', until: '' }), is_dry_run: true },
    }),
    enabled: isWhole,
  });
  if (!data) return null;
  return (
    <Text size="sm" fw={550} role="status">
      {data.has_more ? t.matching_more(data.replayed) : t.matching(data.replayed)}
    </Text>
  );
}

/** Posts again what failed since a time, or everything of a range. */
export function ReplayDialog({
  webhook: { id },
  since = null,
  opened,
  onClose,
}: {
  webhook: Webhook;
  /** From when on; a day ago unless said. */
  since?: string | null;
  opened: boolean;
  onClose: () => void;
}) {
  const t = useMessages('webhook');
  const { number } = useFormat();
  const { timezone } = useInstance();
  const [done, setDone] = useState<number>();
  const replay = useChange('panel_replay_webhook');
  const now = Date.now();
  return (
    <FormDialog
      title={t.replay_many}
      opened={opened}
      onClose={onClose}
      submit={t.replay}
      initial={{
        choice: first,
        from: wallTime(since === null ? new Date(now - dayMs) : new Date(since), timezone),
        // A minute later: events of this minute are before it.
        until: wallTime(new Date(now + minuteMs), timezone),
        types: null as NonNullable<Replay['types']> | null,
      }}
      onSubmit={async ({ choice, from, until, types }) => {
        const body = replayOf({ choice, from, until, types }, timezone);
        let total = 0;
        try {
          for (;;) {
            const { replayed, has_more, after } = await replay.mutateAsync({ params: { id }, body });
            total += replayed;
            setDone(total);
            if (!has_more) break;
            body.after = after;
          }
        } finally {
          setDone(undefined);
        }
        toast(t.replayed_many(total));
      }}
    >
      {(form) => (
        <>
          <Select
            label={t.which}
            description={t.choice_help[form.values.choice]}
            data={(Object.keys(choices) as Choice[]).map((value) => ({ value, label: t.choices[value] }))}
            {...form.getInputProps('choice')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput type="datetime-local" label={t.from} {...form.getInputProps('from')} />
            <TextInput type="datetime-local" label={t.until} {...form.getInputProps('until')} />
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {t.zone(timezone)}
          </Text>
          <EventPicker
            value={form.values.types}
            onChange={(types) => form.setFieldValue('types', types)}
            error={form.errors['types']}
            all={t.every_event}
          />
          <Matching id={id} values={form.values} />
          {done !== undefined && (
            <Text size="sm" role="status">
              {t.replaying(number(done))}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  );
}
