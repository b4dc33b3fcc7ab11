import { Text } from '@mantine/core';
import type { ReceivedMail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { CopyField } from '../../parts/copy-field.tsx';

/** What the person wrote, and how sure that is. */
export function ReplyPart({
  mail: { text_reply, text_reply_confidence },
}: {
  mail: Pick<ReceivedMail, 'text_reply' | 'text_reply_confidence'>;
}) {
  const t = useMessages('received');
  if (!text_reply) return <Text c="dimmed">{t.no_reply}</Text>;
  const sure = text_reply_confidence ?? 0;
  const level = sure >= 0.9 ? 'high' : sure >= 0.5 ? 'medium' : 'low';
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t.reply_help[level]}
      </Text>
      <CopyField block value={text_reply} label={t.reply} />
    </>
  );
}
