import { Button, Group, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { ActionButton } from '../../parts/actions.tsx';
import { ChartCard } from '../../parts/chart-card.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { MessageFrame } from '../../parts/message-frame.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { toast } from '../../parts/toast.ts';
import { useUrlState } from '../../parts/app/url-state.ts';

const tones = ['good', 'bad', 'warn', 'info', 'quiet'] as const;
const refused = {
  status: 422,
  detail: 'The request is not valid.',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  errors: [{ pointer: '/name', code: 'missing', message: 'This is needed' }],
};
const points = Array.from({ length: 14 }, (_each, day) => ({
  at: `Nov ${day + 1}`,
  sent: 400 + Math.round(250 * Math.sin(day)),
  bounced: 12 + (day % 5),
}));

/** Every shared part in every state, for development alone: `/panel/parts`. */
export function Page() {
  const [state, change] = useUrlState();
  const [form, formHandlers] = useDisclosure();
  const [secret, setSecret] = useState<{ label: string; value: string }[]>();
  return (
    <main style={{ maxWidth: 1100, margin: '0 auto', padding: 24 }}>
      <PageHeader
        title="Parts"
        badge={<StatusBadge tone="info">development</StatusBadge>}
        actions={<Button>Action</Button>}
      >
        What pages are made of.
      </PageHeader>
      <DetailLayout
        aside={
          <Section title="Facts">
            <Facts
              facts={[
                { name: 'Name', value: 'Value' },
                { name: 'Identifier', value: <CopyField value="019a84f2-7c00" /> },
              ]}
            />
          </Section>
        }
      >
        <Section title="Status badges">
          <Group>
            {tones.map((tone) => (
              <StatusBadge key={tone} tone={tone}>
                {tone}
              </StatusBadge>
            ))}
          </Group>
        </Section>
        <Section title="Filter bar">
          <FilterBar
            state={state}
            change={change}
            filters={[
              { kind: 'text', name: 'recipient', label: 'Recipient' },
              { kind: 'select', name: 'status', label: 'Status', options: [{ value: '3', label: 'Sent' }] },
              { kind: 'text', name: 'subject', label: 'Subject', more: true },
            ]}
          />
        </Section>
        <DataList
          label="Rows"
          rows={[
            { id: 1, name: 'One', count: 12 },
            { id: 2, name: 'Two', count: 1234 },
          ]}
          idOf={({ id }) => id}
          columns={[
            { name: 'name', header: 'Name', cell: ({ name }) => name },
            { name: 'count', header: 'Count', cell: ({ count }) => count, align: 'end' },
          ]}
        />
        <DataList
          label="Rows that load"
          rows={undefined}
          idOf={() => 0}
          columns={[{ name: 'a', header: 'Name', cell: () => '' }]}
        />
        <ChartCard
          title="Chart"
          label="Day"
          points={points}
          series={[
            { name: 'sent', label: 'Sent', color: 'green.6' },
            { name: 'bounced', label: 'Bounced', color: 'red.6' },
          ]}
        />
        <Section title="Timeline">
          <Timeline
            label="Events"
            items={tones.map((tone, index) => ({
              id: tone,
              at: `2026-11-16T12:0${index}:00Z`,
              title: tone,
              tone,
              children: '250 2.0.0 OK',
            }))}
          />
        </Section>
        <UrlTabs
          label="Tabs"
          tabs={[
            {
              name: 'one',
              label: 'One',
              content: () => <CopyField block value={'curl https://example.com \\\n  -d {}'} />,
            },
            { name: 'two', label: 'Two', content: () => 'Two' },
          ]}
        />
        <EmptyState
          icon={IconMail}
          title="No mail yet"
          command="curl https://example.com/v1/mails/send"
          action={<Button>Send a test mail</Button>}
        >
          What this is, why it is empty, and the one step that changes that.
        </EmptyState>
        <ProblemAlert problem={new ApiProblem(refused)} />
        <Section title="Dialogs">
          <Group>
            <Button onClick={formHandlers.open}>Form</Button>
            <ActionButton
              color="red"
              variant="filled"
              action={{
                label: 'Delete',
                about: '14 senders and 2 forms use it.',
                name: 'example.com',
                isDangerous: true,
                run: () => undefined,
              }}
            />
            <Button onClick={() => setSecret([{ label: 'API key', value: 'chq_0123456789' }])}>Secret</Button>
            <Button variant="default" onClick={() => toast('Done.')}>
              Toast
            </Button>
          </Group>
        </Section>
        <MessageFrame html="<h1>A message</h1>" title="Message" width={360} withImages={false} />
      </DetailLayout>
      <FormDialog
        title="Form"
        opened={form}
        onClose={formHandlers.close}
        initial={{ name: '' }}
        onSubmit={async () => await Promise.reject(new ApiProblem(refused))}
      >
        {(inputs) => <TextInput label="Name" {...inputs.getInputProps('name')} />}
      </FormDialog>
      <SecretDialog title="A new key" secrets={secret} onStored={() => setSecret(undefined)} />
    </main>
  );
}
