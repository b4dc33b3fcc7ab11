import { Button, Group, SegmentedControl, Switch, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useFormat } from './app/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { CopyField } from './copy-field.tsx';
import { MessageFrame } from './message-frame.tsx';
import styles from './parts.module.css';
import { UrlTabs, type Tab } from './tabs.tsx';

export interface ShownMessage {
  html: string | null;
  text: string | null;
  headers: { name: string; value: string }[];
  attachments: { filename: string | null; type: string; size_bytes: number }[];
}

/** A message as recipients see it, and as it is made. */
export function MessageView({
  message,
  source,
  more = [],
  onDownload,
}: {
  message: ShownMessage;
  source: Tab['content'];
  more?: Tab[];
  /** Saves an attachment, by its place in the list. */
  onDownload?: (index: number) => void;
}) {
  const t = useMessages('message_view');
  const { html, text, headers, attachments } = message;
  const tabs: Tab[] = [
    {
      name: 'html',
      label: t.html,
      content: () => (html === null ? <Text c="dimmed">{t.no_html}</Text> : <HtmlPart html={html} />),
    },
    {
      name: 'text',
      label: t.text,
      content: () =>
        text === null ? <Text c="dimmed">{t.no_text}</Text> : <CopyField block value={text} label={t.text} />,
    },
    { name: 'source', label: t.source, content: source },
    { name: 'headers', label: t.headers, content: () => <HeaderTable headers={headers} /> },
    ...(attachments.length > 0
      ? [
          {
            name: 'attachments',
            label: t.attachments,
            count: attachments.length,
            content: () => <AttachmentTable attachments={attachments} onDownload={onDownload} />,
          },
        ]
      : []),
    ...more,
  ];
  return <UrlTabs tabs={tabs} label={t.message} />;
}

function HtmlPart({ html }: { html: string }) {
  const t = useMessages('message_view');
  const [width, setWidth] = useState<'desktop' | 'phone'>('desktop');
  const [withImages, setWithImages] = useState(false);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t.width}
          value={width}
          onChange={setWidth}
          data={(['desktop', 'phone'] as const).map((value) => ({ value, label: t.widths[value] }))}
        />
        <Switch
          size="xs"
          label={t.images}
          checked={withImages}
          onChange={({ currentTarget }) => setWithImages(currentTarget.checked)}
        />
      </Group>
      <MessageFrame
        html={html}
        title={t.message}
        width={width === 'phone' ? 375 : undefined}
        withImages={withImages}
        isFitted
      />
    </>
  );
}

function HeaderTable({ headers }: Pick<ShownMessage, 'headers'>) {
  const t = useMessages('message_view');
  return (
    <Table className={styles['pairs']} aria-label={t.headers}>
      <Table.Tbody>
        {headers.map(({ name, value }, index) => (
          <Table.Tr key={`${index} ${name}`}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function AttachmentTable({
  attachments,
  onDownload,
}: Pick<ShownMessage, 'attachments'> & { onDownload?: ((index: number) => void) | undefined }) {
  const t = useMessages('message_view');
  const { bytes } = useFormat();
  return (
    <Table className={styles['pairs']} aria-label={t.attachments}>
      <Table.Tbody>
        {attachments.map(({ filename, type, size_bytes }, index) => (
          <Table.Tr key={`${index} ${filename}`}>
            <Table.Th scope="row">{filename ?? t.unnamed}</Table.Th>
            <Table.Td>
              {type} · {bytes(size_bytes)}
            </Table.Td>
            {onDownload && (
              <Table.Td ta="end">
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconDownload size={14} />}
                  onClick={() => onDownload(index)}
                >
                  {t.download}
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
