import type { MailRecord } from '../../api/operations.ts';
import { BulkAction } from '../../parts/bulk-action.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { chosenOf } from './chosen.ts';

/** What can be done with the chosen mails: with those of them to which it applies. */
export function Bulk({ rows, onDone }: { rows: MailRecord[]; onDone: () => void }) {
  const t = useMessages('mails');
  const api = useApi();
  const can = useCan();
  const { waiting, messages, recipients } = chosenOf(rows);
  return (
    <>
      {can('panel_retry_mail') && (
        <BulkAction
          label={t.bulk_retry}
          about={t.bulk_retry_about(waiting.length)}
          keys={waiting}
          run={async (mail_id) => await api.call('panel_retry_mail', { params: { mail_id } })}
          onDone={onDone}
        />
      )}
      {can('panel_cancel_message') && (
        <BulkAction
          label={t.bulk_cancel}
          about={t.bulk_cancel_about(messages.length)}
          keys={messages}
          run={async (message_id) => await api.call('panel_cancel_message', { params: { message_id } })}
          isDangerous
          onDone={onDone}
        />
      )}
      {can('panel_create_restriction') && (
        <BulkAction
          label={t.bulk_restrict}
          about={t.bulk_restrict_about(recipients.length)}
          keys={recipients}
          run={async (recipient) => await api.call('panel_create_restriction', { body: { recipient } })}
          isDangerous
          onDone={onDone}
        />
      )}
    </>
  );
}
