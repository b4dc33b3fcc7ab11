import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../messages/use-messages.ts';
import { ConfirmDialog, type Action } from './confirm-dialog.tsx';

/** Asks before another page takes the place of one with unsaved changes. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useMessages('parts');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  const leave: Action = {
    label: t.leave_action,
    title: t.leave,
    about: t.leave_about,
    isDangerous: true,
    run: () => proceed?.(),
  };
  return <ConfirmDialog action={status === 'blocked' ? leave : undefined} onClose={() => reset?.()} />;
}
