import { Text } from '@mantine/core';
import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { Facts, Section } from '../../../parts/detail.tsx';
import styles from './report.module.css';

const steps = ['recipients', 'accepted', 'delivered', 'opened', 'clicked'] as const;

/** From everyone in the audience to those who followed a link, each as a share of the first. */
export function Funnel({ report }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { number, percent } = useFormat();
  const { funnel, not_delivered, rates, unsubscribes, complaints } = report;
  const all = Math.max(1, funnel.recipients);
  return (
    <Section title={t.funnel}>
      <ol className={styles['funnel']}>
        {steps.map((step) => (
          <li key={step}>
            <span className={styles['step']}>{t.steps[step]}</span>
            <span className={styles['bar']} aria-hidden="true">
              <span style={{ width: `${(funnel[step] / all) * 100}%` }} />
            </span>
            <span className={styles['count']}>{number(funnel[step])}</span>
          </li>
        ))}
      </ol>
      <Facts
        facts={[
          { name: t.rates.delivery, value: percent(rates.delivery) },
          { name: t.rates.open, value: percent(rates.open) },
          { name: t.rates.click, value: percent(rates.click) },
          { name: t.rates.bounce, value: `${percent(rates.bounce)} (${number(not_delivered.bounced)})` },
          { name: t.rates.unsubscribe, value: `${percent(rates.unsubscribe)} (${number(unsubscribes)})` },
          { name: t.rates.complaint, value: `${percent(rates.complaint)} (${number(complaints)})` },
          not_delivered.waiting > 0 && { name: t.waiting, value: number(not_delivered.waiting) },
          not_delivered.dropped > 0 && { name: t.dropped, value: number(not_delivered.dropped) },
        ]}
      />
      <Text size="xs" c="dimmed" mt="sm">
        {t.people}
      </Text>
    </Section>
  );
}
