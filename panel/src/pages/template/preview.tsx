import { Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../parts/detail.tsx';
import { ScaledMessage } from '../../parts/scaled-message.tsx';
import { hasDarkStyles } from '../../preview/preview-scheme.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import styles from './template.module.css';
import type { Analysis } from './use-analysis.ts';

const widths = { desktop: 720, phone: 375 };
const sampleEmail = 'ana@example.com';

/** The mail as it arrives: wide or on a phone, by day or in the dark, or as plain text. */
export function Preview({
  analysis: { latest, good },
  part,
  recipient = sampleEmail,
}: {
  analysis: Pick<Analysis, 'latest' | 'good'>;
  part: 'content' | 'text';
  recipient?: string | undefined;
}) {
  const t = useMessages('template');
  const isOld = good !== undefined && latest !== undefined && latest.preview === null;
  return (
    <Section>
      <div className={styles['envelope']}>
        <strong>{good?.preview?.subject || t.no_subject}</strong>
        <span>
          {t.shown_for} {recipient}
        </span>
      </div>
      {isOld && (
        <Text size="xs" c="dimmed" mb="xs">
          {t.old_preview}
        </Text>
      )}
      {part === 'text' ? (
        <pre className={styles['plain']} tabIndex={0} aria-label={t.text}>
          {good?.text_part}
        </pre>
      ) : (
        <HtmlPreview html={good?.preview?.html ?? null} />
      )}
    </Section>
  );
}

export function HtmlPreview({ html }: { html: string | null }) {
  const t = useMessages('template');
  const [{ view, scheme }, change] = useUrlState();
  const [withImages, setWithImages] = useState(false);
  const width = view === 'phone' ? 'phone' : 'desktop';
  const shade = scheme === 'dark' ? 'dark' : 'light';
  if (!html) return <p className={styles['nothing']}>{t.no_preview}</p>;
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t.view}
            value={width}
            onChange={(chosen) =>
              change({ view: chosen === 'phone' ? chosen : undefined }, { replace: true })
            }
            data={(['desktop', 'phone'] as const).map((value) => ({ value, label: t.views[value] }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t.scheme}
            value={shade}
            onChange={(chosen) =>
              change({ scheme: chosen === 'dark' ? chosen : undefined }, { replace: true })
            }
            data={(['light', 'dark'] as const).map((value) => ({ value, label: t.schemes[value] }))}
          />
        </Group>
        <Switch
          size="xs"
          label={t.images}
          checked={withImages}
          onChange={({ currentTarget }) => setWithImages(currentTarget.checked)}
        />
      </Group>
      <div className={styles['device']} data-view={width}>
        <ScaledMessage
          html={html}
          title={t.preview}
          width={widths[width]}
          height="clamp(24rem, 65vh, 52rem)"
          scheme={shade}
          withImages={withImages}
        />
      </div>
      {shade === 'dark' && !hasDarkStyles(html) && (
        <Text size="xs" c="dimmed" mt={6}>
          {t.darkened}
        </Text>
      )}
    </>
  );
}
