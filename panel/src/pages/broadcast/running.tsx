import { Progress, Stack, Text } from '@mantine/core';
import { IconCalendarTime, IconPlayerPause } from '@tabler/icons-react';
import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { AudienceCount } from './audience/audience-count.tsx';
import { LeftOut } from './left-out.tsx';
import { Report } from './report/report.tsx';
import { WhyWritten } from './why-written.tsx';

/** A broadcast on its way, and after it. */
export function Running({ broadcast }: { broadcast: Broadcast }) {
  return (
    <DetailLayout aside={<BroadcastFacts broadcast={broadcast} />}>
      <StateNotice broadcast={broadcast} />
      {broadcast.progress.recipients === null ? (
        <AudienceCount audience={broadcast.audience} />
      ) : (
        <>
          <Handed broadcast={broadcast} />
          <Report broadcast={broadcast} />
          <WhyWritten broadcast={broadcast} />
        </>
      )}
    </DetailLayout>
  );
}

/** Why nothing moves. */
export function StateNotice({ broadcast: { state, paused_by, schedule_at } }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const { moment } = useFormat();
  if (state === 'paused') {
    return (
      <Notice icon={<IconPlayerPause size={18} />}>
        {paused_by === 'request' || paused_by === null ? t.paused_by_request : t.paused_by(paused_by)}
      </Notice>
    );
  }
  if (state !== 'scheduled') return null;
  return (
    <Notice icon={<IconCalendarTime size={18} />}>
      {schedule_at === null ? t.waiting : t.waiting_until(moment(schedule_at))}
    </Notice>
  );
}

function Handed({ broadcast: { state, progress } }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const { number } = useFormat();
  const { handled, accepted, left_out } = progress;
  const recipients = progress.recipients ?? 0;
  return (
    <Section title={t.progress}>
      <Stack gap="sm">
        <Progress
          value={recipients === 0 ? 100 : (handled / recipients) * 100}
          animated={state === 'sending'}
          size="lg"
          aria-label={t.progress}
        />
        <Text size="sm" role="status">
          {t.handed_over(number(handled), number(recipients))}
        </Text>
        <Facts facts={[{ name: t.accepted, value: number(accepted) }]} />
        <LeftOut title={t.left_out} rows={left_out} />
      </Stack>
    </Section>
  );
}

function BroadcastFacts({ broadcast }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const words = useMessages('broadcasts');
  const { number } = useFormat();
  const { per_hour, started_at, finished_at, created_at, template_id, custom_group_code } = broadcast;
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          {
            name: words.template,
            value: (
              <PageLink page="template" id={template_id}>
                {t.edit_template}
              </PageLink>
            ),
          },
          { name: t.speed, value: per_hour === null ? t.at_once : t.an_hour(number(per_hour)) },
          { name: t.created_at, value: <Time at={created_at} /> },
          started_at !== null && { name: t.started_at, value: <Time at={started_at} /> },
          finished_at !== null && { name: t.finished_at, value: <Time at={finished_at} /> },
          started_at !== null && {
            name: t.mails,
            value: (
              <PageLink page="mails" search={{ custom_group_code }}>
                {custom_group_code}
              </PageLink>
            ),
          },
        ]}
      />
    </Section>
  );
}
