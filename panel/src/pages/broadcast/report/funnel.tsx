import { Text } from '@mantine/core';
import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { Section } from '../../../parts/detail.tsx';
import styles from './report.module.css';

const steps = ['recipients', 'accepted', 'delivered', 'opened', 'clicked'] as const;

/** From everyone in the audience to those who followed a link, each as a share of the first. */
export function Funnel({ report }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { number, percent } = useFormat();
  const { funnel, not_delivered, rates, unsubscribes, complaints } = report;
  const all = Math.max(1, funnel.recipients);
  const figures: ([string, string] | false)[] = [
    [t.rates.delivery, percent(rates.delivery)],
    [t.rates.open, percent(rates.open)],
    [t.rates.click, percent(rates.click)],
    [t.rates.bounce, `${percent(rates.bounce)} (${number(not_delivered.bounced)})`],
    [t.rates.unsubscribe, `${percent(rates.unsubscribe)} (${number(unsubscribes)})`],
    [t.rates.complaint, `${percent(rates.complaint)} (${number(complaints)})`],
    not_delivered.waiting > 0 && [t.waiting, number(not_delivered.waiting)],
    not_delivered.dropped > 0 && [t.dropped, number(not_delivered.dropped)],
  ];
  return (
    <Section title={t.funnel}>
      <ol className={styles['funnel']}>
        {steps.map((step) => (
          <li key={step}>
            <span>{t.steps[step]}</span>
            <span className={styles['bar']} aria-hidden="true">
              <span style={{ width: `${(funnel[step] / all) * 100}%` }} />
            </span>
            <span className={styles['count']}>{number(funnel[step])}</span>
          </li>
        ))}
      </ol>
      <dl className={styles['rates']}>
        {figures
          .filter((each) => each !== false)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Text size="xs" c="dimmed" mt="sm">
        {t.people}
      </Text>
    </Section>
  );
}
