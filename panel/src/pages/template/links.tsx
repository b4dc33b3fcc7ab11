import { Text } from '@mantine/core';
import type { MailTemplateAnalysis } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './template.module.css';

/** Where the mail leads, with the sample values. They are shown and not followed: some would act on a recipient. */
export function Links({ links }: { links: MailTemplateAnalysis['links'] | undefined }) {
  const t = useMessages('template');
  return (
    <Section title={t.links}>
      {links === undefined || links.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.no_links}
        </Text>
      ) : (
        <ul className={styles['links']}>
          {links.map(({ url, count }) => (
            <li key={url}>
              <code>{url || '—'}</code>
              {count > 1 && <small>{t.link_count(count)}</small>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
