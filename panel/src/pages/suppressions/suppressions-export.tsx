import { respond } from '../../api/call.ts';
import type { MailComplaint, MailRestriction, MailUnsubscribe } from '../../api/operations.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { useDates } from './use-dates.ts';

/** Exports the list that is open, with its filters. What of them is not known is refused by the service. */
export function SuppressionsExport() {
  const { slug, timezone: tz } = useInstance();
  const { dates } = useDates();
  const [{ list, recipient, sender_id, reason, method, type }] = useUrlState();
  return (
    <ExportMenu
      run={async (format, signal) => {
        const options = { slug, signal };
        const common = { ...dates, recipient, tz, format };
        const ofSender = { ...common, sender_id: sender_id === undefined ? undefined : Number(sender_id) };
        if (list === 'unsubscribes') {
          const query = { ...ofSender, method: method as MailUnsubscribe['method'] | undefined };
          return await respond('panel_export_unsubscribes', { query }, options);
        }
        if (list === 'complaints') {
          const query = { ...ofSender, type: type as MailComplaint['type'] | undefined };
          return await respond('panel_export_complaints', { query }, options);
        }
        const query = { ...common, reason: reason as MailRestriction['reason'] | undefined };
        return await respond('panel_export_restrictions', { query }, options);
      }}
    />
  );
}
