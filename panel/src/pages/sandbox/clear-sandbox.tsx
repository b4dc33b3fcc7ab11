import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

/** Deletes everything that was captured, however many requests it takes. */
export function ClearSandbox({ onCleared }: { onCleared: () => void }) {
  const t = useMessages('sandbox');
  const can = useCan();
  const { slug } = useApi();
  const { number } = useFormat();
  const [opened, { open, close }] = useDisclosure();
  const clear = useChange('panel_clear_sandbox');
  const clearAll = async (): Promise<void> => {
    let deleted = 0;
    for (let more = true; more;) {
      const answer = await clear.mutateAsync({});
      deleted += answer.deleted;
      more = answer.has_more;
    }
    toast(t.cleared(number(deleted)));
    onCleared();
  };
  if (!can('panel_clear_sandbox')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={open}>
        {t.clear}
      </Button>
      <DangerDialog
        title={t.clear}
        opened={opened}
        onClose={close}
        action={t.clear}
        name={slug}
        onConfirm={clearAll}
      >
        {t.clear_about}
      </DangerDialog>
    </>
  );
}
