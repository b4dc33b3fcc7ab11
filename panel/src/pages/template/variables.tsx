import { Text, TextInput } from '@mantine/core';
import { Section } from '../../parts/detail.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { recipientFields } from './sample-values.ts';
import type { Samples } from './sample-variables.ts';
import styles from './template.module.css';
import type { Analysis } from './use-analysis.ts';

/** What the text reads, where it stands first, and what to show in its place. */
export function Variables({
  analysis: { latest },
  samples,
  setSample,
}: {
  analysis: Analysis;
  samples: Samples;
  setSample: (name: string, value: string) => void;
}) {
  const t = useMessages('template');
  const { number } = useFormat();
  const found = latest?.variables ?? [];
  const variables = [...new Map(found.toReversed().map((each) => [each.name, each])).values()].toReversed();
  const labels = { 'recipient.name': t.recipient_name, 'recipient.email': t.recipient_email };
  const placeholders = { 'recipient.name': 'Ana Rojas', 'recipient.email': 'ana@example.com' };
  return (
    <Section title={t.variables}>
      <Text size="sm" c="dimmed" mb="sm">
        {variables.length === 0 ? t.no_variables : t.variables_about}
      </Text>
      <div className={styles['variables']}>
        {variables.map(({ name, pointer, line, is_given }) => (
          <div key={name} className={styles['variable']}>
            <div>
              <code>{name}</code>
              <small>
                {t.place(t.pointers[pointer], number(line))}
                {!is_given && ` · ${t.not_given}`}
              </small>
            </div>
            <TextInput
              size="xs"
              aria-label={t.sample_of(name)}
              value={samples[name] ?? ''}
              onChange={({ target }) => setSample(name, target.value)}
            />
          </div>
        ))}
        {recipientFields.map((name) => (
          <div key={name} className={styles['variable']}>
            <div>
              <code>{name}</code>
              <small>{labels[name]}</small>
            </div>
            <TextInput
              size="xs"
              aria-label={t.sample_of(name)}
              placeholder={placeholders[name]}
              value={samples[name] ?? ''}
              onChange={({ target }) => setSample(name, target.value)}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
