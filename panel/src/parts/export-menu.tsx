import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useFormat } from './app/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { ActionMenu } from './actions.tsx';
import { saveResponse } from './download.ts';
import { toast } from './toast.ts';

export type ExportFormat = 'csv' | 'json';

/** All that the filters leave, as a file; it says how much of it has come and can be given up. */
export function ExportMenu({
  run,
}: {
  run: (format: ExportFormat, signal: AbortSignal) => Promise<Response>;
}) {
  const t = useMessages('export_menu');
  const { bytes } = useFormat();
  const [size, setSize] = useState<number>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (format: ExportFormat): Promise<void> => {
    const { signal } = (abort.current = new AbortController());
    setSize(0);
    try {
      toast(t.exported(bytes(await saveResponse(await run(format, signal), setSize))));
    } catch (error) {
      if (!signal.aborted) toast((error as Error).message || t.failed);
    } finally {
      setSize(undefined);
    }
  };
  if (size !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Text size="sm">{t.exporting(bytes(size))}</Text>
        <Button variant="default" size="xs" onClick={() => abort.current?.abort()}>
          {t.cancel}
        </Button>
      </Group>
    );
  }
  return (
    <ActionMenu
      label={t.export}
      icon={IconDownload}
      actions={(['csv', 'json'] as const).map((format) => ({
        label: t.formats[format],
        run: async () => await start(format),
      }))}
    />
  );
}
