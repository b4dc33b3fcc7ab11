import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { BroadcastState } from '../broadcasts/broadcast-state.tsx';
import { BroadcastActions } from './broadcast-actions.tsx';
import { DraftForm } from './draft-form.tsx';
import { Running, StateNotice } from './running.tsx';

/** How often what is being sent is looked at. */
const movingMs = 2_000;
const moving: ReadonlySet<Broadcast['state']> = new Set(['scheduled', 'sending', 'paused']);

const isWaiting = ({ state, schedule_at }: Broadcast): boolean =>
  state === 'scheduled' && schedule_at !== null && Date.parse(schedule_at) > Date.now();

/** Until it starts, everything can be changed. */
const isEditable = (broadcast: Broadcast): boolean => broadcast.state === 'draft' || isWaiting(broadcast);

/** One broadcast: written while it is a draft, watched while it goes, read when it is done. */
export function Page() {
  const t = useMessages('broadcast');
  const words = useMessages('broadcasts');
  const api = useApi();
  const can = useCan();
  const { id: text } = useParams({ strict: false });
  const id = Number(text);
  const { data, error } = useQuery({
    ...api.read('panel_get_broadcast', { params: { id } }),
    refetchInterval: ({ state }) => (state.data && moving.has(state.data.state) ? movingMs : false),
  });
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  const broadcast = data?.id === id ? data : undefined;
  return (
    <main>
      <PageHeader
        title={broadcast?.name ?? words.title}
        badge={broadcast && <BroadcastState state={broadcast.state} />}
        back={<BackLink page="broadcasts" />}
        actions={broadcast && <BroadcastActions broadcast={broadcast} />}
      />
      <ProblemAlert problem={error} />
      {!broadcast && !error && <Skeleton height={320} />}
      {broadcast && isWaiting(broadcast) && <StateNotice broadcast={broadcast} />}
      {broadcast && isEditable(broadcast) && can('panel_update_broadcast') ? (
        <DraftForm key={id} broadcast={broadcast} />
      ) : (
        broadcast && <Running broadcast={broadcast} />
      )}
    </main>
  );
}
