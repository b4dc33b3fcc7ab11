import {
  IconMailCheck,
  IconCalendarTime,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconX,
} from '@tabler/icons-react';
import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useChange } from '../../parts/app/use-api.ts';
import { ActionButton } from '../../parts/actions.tsx';
import { AddButton } from '../../parts/add-button.tsx';
import { TestDialog } from './test-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useAudience } from './audience/audience-count.tsx';

/** What can be done with a broadcast in its state. */
export function BroadcastActions({ broadcast }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const can = useCan();
  if (!can('panel_send_broadcast')) return null;
  const { state } = broadcast;
  return (
    <>
      {state === 'draft' && can('panel_test_broadcast') && (
        <AddButton
          variant="default"
          label={t.test}
          icon={IconMailCheck}
          dialog={(shown) => <TestDialog id={broadcast.id} {...shown} />}
        />
      )}
      {state === 'draft' && <SendButton broadcast={broadcast} />}
      {state === 'sending' && <PauseButton id={broadcast.id} />}
      {state === 'paused' && <ResumeButton id={broadcast.id} />}
      {['scheduled', 'sending', 'paused'].includes(state) && <CancelButton id={broadcast.id} />}
    </>
  );
}

function SendButton({ broadcast: { id, audience, schedule_at } }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast');
  const { moment } = useFormat();
  const { data } = useAudience(audience);
  const send = useChange('panel_send_broadcast', { onDone: () => toast(t.started) });
  const isLater = schedule_at !== null && Date.parse(schedule_at) > Date.now();
  const about = isLater
    ? t.schedule_about(moment(schedule_at))
    : data
      ? t.send_about(data.count)
      : t.send_unknown;
  return (
    <ActionButton
      variant="filled"
      action={{
        label: isLater ? t.schedule : t.send,
        icon: isLater ? IconCalendarTime : IconSend,
        about,
        run: async () => await send.mutateAsync({ params: { id } }),
      }}
    />
  );
}

function PauseButton({ id }: { id: number }) {
  const t = useMessages('broadcast');
  const pause = useChange('panel_pause_broadcast');
  const run = async () => await pause.mutateAsync({ params: { id } });
  return <ActionButton action={{ label: t.pause, icon: IconPlayerPause, about: t.pause_about, run }} />;
}

function ResumeButton({ id }: { id: number }) {
  const t = useMessages('broadcast');
  const resume = useChange('panel_resume_broadcast');
  const run = async () =>
    await resume.mutateAsync({ params: { id } }).catch((error: Error) => toast(error.message));
  return <ActionButton variant="filled" action={{ label: t.resume, icon: IconPlayerPlay, run }} />;
}

function CancelButton({ id }: { id: number }) {
  const t = useMessages('broadcast');
  const cancel = useChange('panel_cancel_broadcast');
  const run = async () => await cancel.mutateAsync({ params: { id } });
  return (
    <ActionButton action={{ label: t.cancel, icon: IconX, about: t.cancel_about, isDangerous: true, run }} />
  );
}
