import { Button, Group, Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { respond } from '../../api/call.ts';
import type { Operations } from '../../api/operations.ts';
import { saveResponse } from '../../parts/download.ts';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../shell/format.ts';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

type ExportQuery = Operations['panel_export_sent']['query'];

/** All mails that the filters leave, as a file; it grows before the reader's eyes and can be given up. */
export function ExportMenu({ query }: { query: ExportQuery }) {
  const t = useWords(words);
  const { slug, timezone } = useInstance();
  const { bytes } = useFormat();
  const [size, setSize] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  const run = async (format: 'csv' | 'json'): Promise<void> => {
    stop.current = new AbortController();
    setSize(0);
    try {
      const input = { query: { ...query, tz: timezone, format } };
      const response = await respond('panel_export_sent', input, { slug, signal: stop.current.signal });
      toast(t.exported(bytes(await saveResponse(response, setSize))));
    } catch {
      if (!stop.current.signal.aborted) toast(t.export_failed);
    } finally {
      setSize(undefined);
    }
  };
  if (size !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Text size="sm">{t.exporting(bytes(size))}</Text>
        <Button variant="default" size="xs" onClick={() => stop.current?.abort()}>
          {t.cancel}
        </Button>
      </Group>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['csv', 'json'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => void run(format)}>
            {t.export_as[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
