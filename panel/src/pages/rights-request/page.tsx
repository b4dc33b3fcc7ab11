import { Skeleton, Stack, Text } from '@mantine/core';
import { IconClockExclamation, IconEraser, IconHandStop, IconMailQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Message } from '../../parts/message.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { RequestState } from '../rights/request-state.tsx';
import { Held } from './held.tsx';
import { RequestActions } from './request-actions.tsx';
import { Checklist, Note } from './work.tsx';

const isRunning = (request: RightsRequestDetail | undefined): boolean =>
  request?.status === 'open' && request.started_at !== null && request.stopped_at === null;

/** One request of a person: what was asked, what was done, and what can be done. */
export function Page() {
  const t = useMessages('rights_request');
  const { kinds } = useMessages('rights');
  const api = useApi();
  const { id: text } = useParams({ strict: false });
  const id = Number(text);
  const { data: request, error } = useQuery({
    ...api.read('panel_get_rights_request', { params: { id } }),
    refetchInterval: ({ state }) => (isRunning(state.data) ? 5_000 : false),
  });
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  return (
    <main>
      <PageHeader
        title={request ? `${kinds[request.kind]} · ${request.id}` : t.request}
        badge={request && <RequestState request={request} />}
        back={<BackLink page="rights" />}
        actions={request && <RequestActions request={request} />}
      />
      <ProblemAlert problem={error} />
      <DetailLayout aside={request ? <RequestFacts request={request} /> : <Skeleton height={240} />}>
        {request && <StateNotice request={request} />}
        {request && <Said request={request} />}
        {request && <Held request={request} />}
        {request && request.status !== 'unverified' && <Checklist request={request} />}
        {request && <Note key={request.id} request={request} />}
        {request && <Receipts request={request} />}
      </DetailLayout>
    </main>
  );
}

function StateNotice({ request }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  if (request.status === 'unverified') {
    return (
      <Notice icon={<IconMailQuestion size={18} />} title={t.unverified}>
        {t.unverified_about}
      </Notice>
    );
  }
  const { stop_reason } = request;
  if (request.is_overdue && stop_reason === null && !isRunning(request)) {
    return (
      <Notice icon={<IconClockExclamation size={18} />} title={t.overdue}>
        {request.extended_at === null ? t.overdue_about : t.overdue_extended_about}
      </Notice>
    );
  }
  if (request.status === 'open' && stop_reason !== null) {
    return (
      <Notice icon={<IconHandStop size={18} />} title={t.stopped[stop_reason]}>
        {t.stopped_about[stop_reason]}
      </Notice>
    );
  }
  if (!isRunning(request)) return null;
  return (
    <Notice icon={<IconEraser size={18} />} title={t.running}>
      {t.running_about}
    </Notice>
  );
}

function Said({
  request: { contacts, detail, resolution, ground, extension_reason },
}: {
  request: RightsRequestDetail;
}) {
  const t = useMessages('rights_request');
  return (
    <Section title={t.person}>
      <Stack gap="sm">
        {contacts.length === 0 && <Text size="sm">{t.erased}</Text>}
        {contacts.map(({ contact, contact_type }) => (
          <CopyField key={`${contact_type} ${contact}`} value={contact} />
        ))}
        <Facts
          facts={[
            detail !== null && { name: t.said, value: detail },
            extension_reason !== null && { name: t.extension_reason, value: extension_reason },
            resolution !== null && { name: t.resolution, value: resolution },
            ground !== null && { name: t.ground, value: ground },
          ]}
        />
      </Stack>
    </Section>
  );
}

const tones = {
  refused: 'quiet',
  fulfilled: 'good',
  started: 'warn',
  resumed: 'warn',
  stopped: 'bad',
  cancelled: 'quiet',
} as const;

function Receipts({ request: { receipts } }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const { number } = useFormat();
  return (
    <Section title={t.history}>
      <Text size="sm" c="dimmed" mb="md">
        {t.history_about}
      </Text>
      <Timeline
        label={t.history}
        items={receipts.map(({ step, at, sequence, hash }) => ({
          id: sequence,
          at,
          title: t.steps[step as keyof typeof t.steps] ?? step,
          tone: tones[step as keyof typeof tones] ?? 'info',
          children: (
            <Text size="xs" c="dimmed">
              {t.place(number(sequence))}, SHA-256 {hash.slice(0, 16)}…
            </Text>
          ),
        }))}
      />
    </Section>
  );
}

function RequestFacts({ request }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          { name: t.origin, value: t.origins[request.origin] },
          { name: t.received, value: <Time at={request.received_at} /> },
          request.verified_at !== null && { name: t.verified, value: <Time at={request.verified_at} /> },
          { name: t.due, value: <Time at={request.due_at} /> },
          request.status === 'open' && { name: t.left, value: <DaysLeft due_at={request.due_at} /> },
          request.extended_at !== null && { name: t.extended, value: <Time at={request.extended_at} /> },
          request.stopped_at !== null && { name: t.stopped_at, value: <Time at={request.stopped_at} /> },
          request.closed_at !== null && { name: t.closed, value: <Time at={request.closed_at} /> },
          request.lifted_at !== null && { name: t.lifted, value: <Time at={request.lifted_at} /> },
        ]}
      />
    </Section>
  );
}

/** In days begun, as the law counts them. */
function DaysLeft({ due_at }: { due_at: string }) {
  const t = useMessages('rights_request');
  const days = Math.ceil((Date.parse(due_at) - Date.now()) / 86_400_000);
  if (days > 0) return <StatusBadge tone={days <= 7 ? 'warn' : 'info'}>{t.days_left(days)}</StatusBadge>;
  const late = Math.max(1, Math.floor((Date.now() - Date.parse(due_at)) / 86_400_000));
  return <StatusBadge tone="bad">{t.days_late(late)}</StatusBadge>;
}
