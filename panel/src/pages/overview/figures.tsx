import { Paper, Skeleton, Text } from '@mantine/core';
import type { Overview, StatsOverview } from '../../api/operations.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import type { UrlState } from '../../parts/app/url-state.ts';
import { figureNames, keptOf, placeOf, type Name } from './figure-places.ts';
import styles from './overview.module.css';

/** More of it is good, bad, or only more. */
const wanted: Record<Name, 1 | 0 | -1> = {
  received: 0,
  sent: 1,
  bounced: -1,
  unique_opens: 1,
  unique_clicks: 1,
  complaints: -1,
};
/** From which share on mailbox providers begin to look, and to refuse. */
const limits: Partial<Record<Name, [warn: number, bad: number]>> = {
  complaints: [0.001, 0.003],
  bounced: [0.05, 0.1],
};
/** One complaint of ten mails does not make a rate. */
const minRated = 100;

function levelOf(name: Name, now: StatsOverview | undefined): 'warn' | 'bad' | undefined {
  const limit = limits[name];
  if (!limit || !now || now.totals.sent < minRated) return undefined;
  const rate = name === 'complaints' ? now.rates.complaint : now.rates.bounce;
  if (rate < limit[0]) return undefined;
  return rate < limit[1] ? 'warn' : 'bad';
}

export function Figures({
  now,
  before,
  sandbox,
  place,
}: {
  now: StatsOverview | undefined;
  before: Overview['before'] | undefined;
  /** Mails to the sandbox of the range. */
  sandbox: number | undefined;
  /** Range and filters, which the lists behind the figures keep. */
  place: UrlState;
}) {
  const t = useMessages('overview');
  const { compact, number, precise } = useFormat();
  const shareOf = useShares(now);
  return (
    <>
      <ul className={styles['figures']}>
        {figureNames.map((name) => {
          const list = placeOf(name, place);
          const value = now?.totals[name];
          return (
            <Paper component="li" withBorder key={name} className={styles['figure']}>
              <Text size="sm" c="dimmed">
                <PageLink {...list} c="dimmed" size="sm">
                  {t.figures[name]}
                </PageLink>
              </Text>
              {value === undefined ? (
                <Skeleton height={30} width="60%" my={4} />
              ) : (
                <div className={styles['value']} title={number(value)}>
                  {compact(value)}
                </div>
              )}
              <Text
                size="xs"
                c={levelOf(name, now) ? undefined : 'dimmed'}
                mih={18}
                className={styles['share']}
                data-tone={levelOf(name, now)}
              >
                {shareOf(name)}
              </Text>
              {levelOf(name, now) && (
                <Text size="xs" className={styles['share']} data-tone={levelOf(name, now)}>
                  {t.above(precise(limits[name]?.[levelOf(name, now) === 'bad' ? 1 : 0] ?? 0))}
                </Text>
              )}
              <Change name={name} now={value} before={before?.totals[name]} />
            </Paper>
          );
        })}
      </ul>
      {sandbox !== undefined && sandbox > 0 && place['sandbox'] === undefined && (
        <Text size="sm" c="dimmed" mb="md">
          {t.sandbox_left_out(number(sandbox))}{' '}
          <PageLink page="overview" search={{ ...place, sandbox: 'all' }} size="sm" underline="always">
            {t.sandbox_include}
          </PageLink>
        </Text>
      )}
      {now !== undefined && now.totals.test > 0 && (
        <Text size="sm" c="dimmed" mb="md">
          <PageLink page="mails" search={{ test_mode: 'true', ...keptOf(place) }} c="dimmed" size="sm">
            {t.tests(number(now.totals.test))}
          </PageLink>
        </Text>
      )}
    </>
  );
}

function useShares(now: StatsOverview | undefined): (name: Name) => string {
  const t = useMessages('overview');
  const { percent, precise } = useFormat();
  if (!now) return () => '';
  const { delivery, bounce, open, click, complaint } = now.rates;
  const shares: Partial<Record<Name, string>> = {
    sent: t.of_accepted(percent(delivery)),
    bounced: t.of_accepted(percent(bounce)),
    unique_opens: t.of_delivered(percent(open)),
    unique_clicks: t.of_delivered(percent(click)),
    complaints: t.of_delivered(precise(complaint)),
  };
  return (name) => shares[name] ?? '';
}

function Change({ name, now, before }: { name: Name; now: number | undefined; before: number | undefined }) {
  const t = useMessages('overview');
  const { percent } = useFormat();
  if (now === undefined || !before) return null;
  const change = (now - before) / before;
  const says = change === 0 ? t.same : change > 0 ? t.up(percent(change)) : t.down(percent(-change));
  const sign = change === 0 ? '=' : change > 0 ? `▲ ${percent(change)}` : `▼ ${percent(-change)}`;
  const tone = Math.sign(change) * wanted[name];
  return (
    <span
      className={styles['change']}
      data-tone={tone > 0 ? 'good' : tone < 0 ? 'bad' : undefined}
      title={says}
    >
      <span aria-hidden>{sign}</span>
      <span className={styles['spoken']}>{says}</span>
    </span>
  );
}
