import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useChange } from '../../parts/app/use-api.ts';
import { Section } from '../../parts/detail.tsx';
import { toast } from '../../parts/toast.ts';

/** What to do before the answer. */
export function Checklist({ request: { id, checklist } }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const { number } = useFormat();
  const can = useCan();
  const mark = useChange('panel_annotate_rights_request');
  const saved = checklist.filter(({ is_done }) => is_done).map(({ step }) => step);
  // A tick is shown while it is being saved. The mutation's own state changes a task later: the box would flicker.
  const [ticked, setTicked] = useState<typeof saved>();
  const done = ticked ?? saved;
  const tick = (checked: typeof saved): void => {
    setTicked(checked);
    mark.mutate(
      { params: { id }, body: { checked } },
      { onError: ({ message }) => toast(message), onSettled: () => setTicked(undefined) },
    );
  };
  return (
    <Section title={t.checklist}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.checklist_done(number(done.length), number(checklist.length))}
      </Text>
      <Stack gap="sm">
        {checklist.map(({ step }) => (
          <Checkbox
            key={step}
            label={t.checklist_steps[step]}
            description={t.checklist_help[step]}
            checked={done.includes(step)}
            disabled={!can('panel_annotate_rights_request')}
            onChange={() =>
              tick(done.includes(step) ? done.filter((each) => each !== step) : [...done, step])
            }
          />
        ))}
      </Stack>
    </Section>
  );
}

export function Note({ request: { id, note } }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const can = useCan();
  const [draft, setDraft] = useState<string>();
  const save = useChange('panel_annotate_rights_request', {
    onDone: () => {
      setDraft(undefined);
      toast(t.note_saved);
    },
  });
  const text = draft ?? note ?? '';
  const isChanged = draft !== undefined && draft.trim() !== (note ?? '');
  return (
    <Section title={t.note}>
      <Stack gap="sm">
        <Textarea
          aria-label={t.note}
          description={t.note_about}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={4000}
          value={text}
          error={save.error?.message}
          readOnly={!can('panel_annotate_rights_request')}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        />
        {isChanged && (
          <Group justify="flex-end">
            <Button
              size="xs"
              loading={save.isPending}
              onClick={() => save.mutate({ params: { id }, body: { note: text.trim() || null } })}
            >
              {t.save_note}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
