import { IconTrash } from '@tabler/icons-react';
import { ActionButton } from '../../parts/actions.tsx';
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
    <ActionButton
      action={{
        label: t.clear,
        icon: IconTrash,
        about: t.clear_about,
        name: slug,
        isDangerous: true,
        run: clearAll,
      }}
    />
  );
}
