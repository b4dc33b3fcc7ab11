import { useBlocker } from '@tanstack/react-router';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** Asks before a page with unsaved changes is left. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useMessages('template');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <DangerDialog
      title={t.leave}
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      action={t.leave_action}
      onConfirm={async () => await Promise.resolve(proceed?.())}
    >
      {t.leave_about}
    </DangerDialog>
  );
}
