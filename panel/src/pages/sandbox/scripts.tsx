import { Text } from '@mantine/core';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './sandbox.module.css';

const names = [
  'delivered',
  'bounce',
  'softbounce',
  'defer-1',
  'slow',
  'open',
  'click',
  'complaint',
  'unsubscribe',
] as const;

/** Recipients whose name says what becomes of the mail, and how a test waits for it. */
export function Scripts() {
  const t = useMessages('sandbox');
  const { slug } = useInstance();
  const command = [
    `curl '${location.origin}/v1/mails?recipient=delivered@sandbox.test' \\`,
    "  -H 'Authorization: Bearer YOUR_API_KEY' \\",
    `  -H 'X-Instance-Slug: ${slug}'`,
  ].join('\n');
  return (
    <Section title={t.scripts}>
      <Text size="sm" c="dimmed" mb="md">
        {t.scripts_about}
      </Text>
      <dl className={styles['scripts']}>
        {names.map((name) => (
          <div key={name}>
            <dt>
              <CopyField value={`${name}@sandbox.test`} />
            </dt>
            <dd>{t.script[name]}</dd>
          </div>
        ))}
      </dl>
      <Text fw={600} size="sm" mt="lg">
        {t.wait}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t.wait_about}
      </Text>
      <CopyField block value={command} label={t.wait} />
    </Section>
  );
}
