import { useState } from 'react';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

/** Makes deferred mail due now, call after call until there is no more. */
export function useRetry() {
  const t = useMessages('queue');
  const { mutateAsync } = useChange('panel_retry_queue');
  const [isPending, setPending] = useState(false);
  const retry = async (destination?: string): Promise<void> => {
    setPending(true);
    let total = 0;
    try {
      for (let has_more = true; has_more;) {
        const answer = await mutateAsync({ body: { destination } });
        total += answer.retried;
        has_more = answer.has_more;
      }
      toast(total === 0 ? t.retried_none : t.retried(total));
    } catch (error) {
      toast((error as Error).message || t.failed);
    } finally {
      setPending(false);
    }
  };
  return { retry, isPending };
}
