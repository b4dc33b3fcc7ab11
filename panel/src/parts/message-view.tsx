import { Button, Group, SegmentedControl, Switch, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useFormat } from '../shell/format.ts';
import { dictionary, useWords } from '../shell/languages.ts';
import { CopyField } from './copy-field.tsx';
import { MessageFrame } from './message-frame.tsx';
import styles from './parts.module.css';
import { UrlTabs, type Tab } from './tabs.tsx';

export const messageWords = dictionary({
  en: {
    message: 'Message',
    html: 'HTML',
    text: 'Text',
    source: 'Source',
    headers: 'Headers',
    attachments: 'Attachments',
    no_html: 'The message has no HTML part.',
    no_text: 'The message has no text part.',
    width: 'Width',
    widths: { desktop: 'Desktop', phone: 'Phone' },
    images: 'Load remote images',
    name: 'Name',
    value: 'Value',
    type: 'Type',
    size: 'Size',
    download: 'Download',
    unnamed: 'without a name',
  },
  es: {
    message: 'Mensaje',
    html: 'HTML',
    text: 'Texto',
    source: 'Fuente',
    headers: 'Cabeceras',
    attachments: 'Adjuntos',
    no_html: 'El mensaje no tiene parte HTML.',
    no_text: 'El mensaje no tiene parte de texto.',
    width: 'Ancho',
    widths: { desktop: 'Escritorio', phone: 'Teléfono' },
    images: 'Cargar imágenes remotas',
    name: 'Nombre',
    value: 'Valor',
    type: 'Tipo',
    size: 'Tamaño',
    download: 'Descargar',
    unnamed: 'sin nombre',
  },
});

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
  const t = useWords(messageWords);
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
  const t = useWords(messageWords);
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
      />
    </>
  );
}

function HeaderTable({ headers }: Pick<ShownMessage, 'headers'>) {
  const t = useWords(messageWords);
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
  const t = useWords(messageWords);
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
