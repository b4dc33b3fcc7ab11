import { Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReplyWithdrawal } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Notice } from '../../parts/notice.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';

/** Above an answer that only asks for no more mail. */
export function WithdrawalOffer({ received_mail_id }: { received_mail_id: string }) {
  const t = useMessages('received');
  const api = useApi();
  const { data } = useQuery(
    api.read('panel_list_reply_withdrawals', { query: { received_mail_id, state: 'offered' } }),
  );
  const [offer] = data?.data ?? [];
  if (offer?.received_mail_id !== received_mail_id) return null;
  const { recipient, words, is_authentic } = offer;
  return (
    <Box mb="md">
      <Notice title={t.offer(recipient, words)}>
        {!is_authentic && t.unauthentic}
        <WithdrawalDecision withdrawal={offer} />
      </Notice>
    </Box>
  );
}

export function WithdrawalDecision({
  withdrawal: { received_mail_id, recipient },
}: {
  withdrawal: Pick<ReplyWithdrawal, 'received_mail_id' | 'recipient'>;
}) {
  const t = useMessages('received');
  const can = useCan();
  const accept = useChange('panel_accept_reply_withdrawal', { onDone: () => toast(t.accepted) });
  const dismiss = useChange('panel_dismiss_reply_withdrawal', { onDone: () => toast(t.dismissed) });
  if (!can('panel_accept_reply_withdrawal')) return null;
  const params = { received_mail_id };
  return (
    <>
      <Group gap="xs" mt="sm" wrap="wrap">
        <Button
          size="xs"
          aria-label={`${t.accept}: ${recipient}`}
          loading={accept.isPending}
          onClick={() => accept.mutate({ params })}
        >
          {t.accept}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`${t.dismiss}: ${recipient}`}
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate({ params })}
        >
          {t.dismiss}
        </Button>
      </Group>
      <ProblemAlert problem={accept.error ?? dismiss.error} />
    </>
  );
}
