import { Button, Group, MultiSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { DetailLayout, Section } from '../../parts/detail.tsx';
import { Form } from '../../parts/form.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx';
import { useServiceForm } from '../../parts/use-service-form.ts';
import { PurposeChoice, SenderChoice, TemplateChoice } from '../broadcasts/choices.tsx';
import { AudienceCount } from './audience/audience-count.tsx';
import { Conditions } from './audience/conditions.tsx';
import { audienceOf, changesOf, valuesOf } from './draft-values.ts';

const restsMs = 600;

/** Writes a draft; beside it, who would be written to now. */
export function DraftForm({ broadcast }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const words = useMessages('broadcasts');
  const api = useApi();
  const { timezone } = useInstance();
  const { data } = useQuery(api.read('panel_list_fields', { query: { page_size: 100 } }));
  const fields = (data?.data ?? []).filter(({ field_key }) => field_key !== 'EMAIL');
  const update = useChange('panel_update_broadcast', { onDone: () => toast(t.saved) });
  const [saved, setSaved] = useState(() => valuesOf(broadcast, timezone));
  const { form, problem, pointers, send } = useServiceForm(saved, async (values) => {
    const body = changesOf(values, { timezone, fields });
    await update.mutateAsync({ params: { id: broadcast.id }, body });
    setSaved(values);
  });
  const { values } = form;
  const isDirty = useMemo(() => JSON.stringify(values) !== JSON.stringify(saved), [values, saved]);
  const text = JSON.stringify(audienceOf(values, fields));
  const [rested] = useDebouncedValue(text, restsMs);
  const others = useQuery(api.read('panel_list_broadcasts', { query: { page_size: 100 } }));
  return (
    <DetailLayout aside={<AudienceCount audience={JSON.parse(rested) as Broadcast['audience']} />}>
      <Form onSubmit={send}>
        <Stack gap="md">
          <Section
            title={t.message}
            actions={
              <PageLink page="template" id={values.template_id}>
                {t.edit_template}
              </PageLink>
            }
          >
            <Stack gap="md">
              <TextInput label={words.name} {...form.getInputProps('name')} />
              <TemplateChoice {...form.getInputProps('template_id')} />
              <SenderChoice {...form.getInputProps('sender_id')} />
            </Stack>
          </Section>
          <Section title={t.audience}>
            <Stack gap="md">
              <PurposeChoice {...form.getInputProps('purpose_id')} />
              <Conditions
                rows={values.conditions}
                fields={fields}
                onChange={(rows) => form.setFieldValue('conditions', rows)}
              />
              <MultiSelect
                label={t.exclude_broadcasts}
                data={(others.data?.data ?? [])
                  .filter(({ id, started_at }) => id !== broadcast.id && started_at !== null)
                  .map(({ id, name }) => ({ value: String(id), label: name }))}
                {...form.getInputProps('exclude_broadcast_ids')}
              />
              <Textarea
                label={t.exclude}
                description={t.exclude_help}
                autosize
                minRows={2}
                maxRows={8}
                {...form.getInputProps('exclude')}
              />
            </Stack>
          </Section>
          <Section title={t.schedule}>
            <Stack gap="md">
              <TextInput
                type="datetime-local"
                label={t.schedule_at}
                description={t.schedule_help(timezone)}
                {...form.getInputProps('schedule_at')}
              />
              <TextInput
                inputMode="numeric"
                label={t.per_hour}
                description={t.per_hour_help}
                {...form.getInputProps('per_hour')}
              />
            </Stack>
          </Section>
          <ProblemAlert problem={problem} shown={pointers} />
          <Group justify="flex-end" gap="sm">
            {isDirty && (
              <Text size="sm" c="dimmed">
                {t.unsaved}
              </Text>
            )}
            <Button type="submit" disabled={!isDirty} loading={form.submitting}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </Form>
      <UnsavedGuard isDirty={isDirty} />
    </DetailLayout>
  );
}
