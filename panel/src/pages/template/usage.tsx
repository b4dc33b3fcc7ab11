import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

/** Who would notice: recent mails and forms. */
export function Usage({ id }: { id: number }) {
  const t = useMessages('template');
  const api = useApi();
  const { data } = useQuery(api.read('panel_get_template_usage', { params: { template_id: id } }));
  if (!data) return <Skeleton height={18} mt="xs" />;
  const { recent_mails, recent_mails_with_it, last_sent_at, forms } = data;
  return (
    <>
      <Text size="sm" mt="xs">
        {recent_mails_with_it > 0 ? (
          <>
            {t.used(recent_mails_with_it, recent_mails)} {t.used_last} <Time at={last_sent_at} />.
          </>
        ) : recent_mails > 0 ? (
          t.unused(recent_mails)
        ) : (
          t.never_used
        )}
      </Text>
      {forms.length > 0 && (
        <Text size="sm" mt="xs" fw={600}>
          {t.used_forms(forms.map(({ name }) => name).join(', '))}
        </Text>
      )}
    </>
  );
}
