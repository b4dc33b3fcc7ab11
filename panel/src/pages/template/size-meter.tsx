import { Progress, Text } from '@mantine/core';
import type { MailTemplateAnalysis } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';

/** How much of the HTML Gmail would show. */
export function SizeMeter({ size }: { size: NonNullable<MailTemplateAnalysis['size']> | undefined }) {
  const t = useMessages('template');
  const { number } = useFormat();
  const kilobytes = (bytes: number): string => `${number(Math.round((bytes / 1024) * 10) / 10)} KB`;
  const { html_bytes, clipped_above_bytes } = size ?? { html_bytes: 0, clipped_above_bytes: 102 * 1024 };
  const isCut = html_bytes > clipped_above_bytes;
  return (
    <Section
      title={t.size}
      actions={
        <Text size="sm" fw={600} c={isCut ? 'var(--panel-alarm)' : undefined}>
          {t.size_of(kilobytes(html_bytes), kilobytes(clipped_above_bytes))}
        </Text>
      }
    >
      <Progress
        value={Math.min(100, (html_bytes / clipped_above_bytes) * 100)}
        color={isCut ? 'red' : 'green'}
        aria-label={t.size}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {isCut ? t.size_cut : t.size_fits}
      </Text>
    </Section>
  );
}
