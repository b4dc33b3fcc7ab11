import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import type { MessageContent } from '../../api/operations.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { saveResponse } from '../../parts/download.ts';
import { MessageView } from '../../parts/message-view.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

export function MailMessage({
  mail_id,
  content,
  problem,
}: {
  mail_id: string;
  content: MessageContent | undefined;
  problem: ApiProblem | null;
}) {
  const t = useMessages('mail');
  const { slug } = useApi();
  if (problem?.code === 'mail_content_not_found') return <Text c="dimmed">{t.message_gone}</Text>;
  if (problem) return <ProblemAlert problem={problem} />;
  if (!content) return <Skeleton height={320} />;
  const download = (index: number): void => {
    const position = content.attachments[index]?.position;
    if (position === undefined) return;
    void respond('panel_get_mail_attachment', { params: { mail_id, position } }, { slug }).then(
      async (response) => await saveResponse(response, () => undefined),
    );
  };
  return (
    <>
      {!content.own_links_work && (
        <Text size="sm" c="dimmed" mb="xs">
          {t.copy}
        </Text>
      )}
      <MessageView
        message={content}
        onDownload={download}
        source={() => <Source mail_id={mail_id} />}
        more={[
          {
            name: 'links',
            label: t.links,
            ...(content.links.length > 0 ? { count: content.links.length } : {}),
            content: () => <Links links={content.links} />,
          },
        ]}
      />
    </>
  );
}

function Source({ mail_id }: { mail_id: string }) {
  const t = useMessages('message_view');
  const { slug } = useApi();
  const { data, error } = useQuery({
    queryKey: [slug, 'panel_get_mail_source', mail_id],
    queryFn: async ({ signal }) =>
      await (await respond('panel_get_mail_source', { params: { mail_id } }, { slug, signal })).text(),
    staleTime: Infinity,
  });
  if (error) return <ProblemAlert problem={error} />;
  return data === undefined ? <Skeleton height={320} /> : <CopyField block value={data} label={t.source} />;
}

function Links({ links }: Pick<MessageContent, 'links'>) {
  const t = useMessages('mail');
  const { number } = useFormat();
  if (links.length === 0) return <Text c="dimmed">{t.no_links}</Text>;
  return (
    <Table aria-label={t.links}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.link}</Table.Th>
          <Table.Th ta="end">{t.clicks_of_people}</Table.Th>
          <Table.Th ta="end">{t.clicks_of_machines}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {links.map(({ url, clicks, machine_clicks }) => (
          <Table.Tr key={url}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{url}</Table.Td>
            <Table.Td ta="end">{number(clicks)}</Table.Td>
            <Table.Td ta="end">{number(machine_clicks)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
