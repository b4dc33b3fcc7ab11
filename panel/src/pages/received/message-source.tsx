import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useApi } from '../../parts/app/use-api.ts';

/** More would make the page slow; the file has all of it. */
const most = 256 * 1024;

/** The message as it came in, its first part where it is long. */
export function MessageSource({ id }: { id: string }) {
  const t = useMessages('received');
  const parts = useMessages('message_view');
  const { slug } = useApi();
  const { data, error } = useQuery({
    queryKey: [slug, 'received source', id],
    queryFn: async () =>
      await readStart(await respond('panel_get_received_mail_source', { params: { id } }, { slug })),
    staleTime: Infinity,
  });
  if (error) return <ProblemAlert problem={error} />;
  if (!data) return <Skeleton height={240} />;
  return (
    <>
      {data.is_cut && (
        <Text size="sm" mb="sm">
          {t.truncated}
        </Text>
      )}
      <CopyField block value={data.text} label={parts.source} />
    </>
  );
}

async function readStart({ body }: Response): Promise<{ text: string; is_cut: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) return { text, is_cut: false };
    text += decoder.decode(value, { stream: true });
    if (text.length > most) {
      await reader?.cancel();
      return { text: text.slice(0, most), is_cut: true };
    }
  }
}
