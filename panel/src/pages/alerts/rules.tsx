import { Group, NumberInput, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRule } from '../../api/operations.ts';
import { useLanguage } from '../../api/language.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';

type Kind = AlertRule['kind'];

/** Shares are written as percent. */
const isShare = (kind: Kind): boolean => ['bounce_rate', 'complaint_rate', 'plan_usage'].includes(kind);

export function AlertRules() {
  const t = useMessages('alerts');
  const api = useApi();
  const { data, error } = useQuery(api.read('panel_list_alert_rules', {}));
  return (
    <Section title={t.rules}>
      <Text size="sm" c="dimmed" mb="md">
        {t.rules_about}
      </Text>
      <ProblemAlert problem={error} />
      {!data && !error && <Skeleton height={200} />}
      <Stack gap="lg">
        {data?.data.map((rule) => (
          <Rule key={`${rule.kind} ${rule.threshold}`} rule={rule} />
        ))}
      </Stack>
    </Section>
  );
}

function Rule({ rule: { kind, is_enabled, threshold, by_mail } }: { rule: AlertRule }) {
  const t = useMessages('alerts');
  const can = useCan()('panel_update_alert_rule');
  const update = useChange('panel_update_alert_rule', { onDone: () => toast(t.saved) });
  const change = (body: Partial<Omit<AlertRule, 'kind'>>): void => update.mutate({ params: { kind }, body });
  const separator = new Intl.NumberFormat(useLanguage()).format(0.1).charAt(1);
  const factor = isShare(kind) ? 100 : 1;
  const title = t.kinds[kind];
  const saveThreshold = (text: string): void => {
    // A locale writes the decimal point as a comma.
    const value = Number(text.replace('%', '').trim().replace(',', '.')) / factor;
    if (text.trim() !== '' && Number.isFinite(value) && value !== threshold) change({ threshold: value });
  };
  return (
    <div>
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <Text fw={500} component="h3" size="sm">
            {title}
          </Text>
          <Text size="sm" c="dimmed" maw={440}>
            {t.kinds_about[kind]}
          </Text>
        </div>
        <Group gap="lg" align="center">
          {threshold !== null && (
            <NumberInput
              aria-label={t.threshold_of(title)}
              defaultValue={Number((threshold * factor).toPrecision(6))}
              suffix={isShare(kind) ? ' %' : ''}
              w={96}
              size="xs"
              hideControls
              decimalSeparator={separator}
              readOnly={!can}
              onBlur={({ currentTarget }) => saveThreshold(currentTarget.value)}
            />
          )}
          <Switch
            label={t.enabled}
            checked={is_enabled}
            disabled={!can || update.isPending}
            aria-label={`${title}: ${t.enabled}`}
            onChange={({ currentTarget }) => change({ is_enabled: currentTarget.checked })}
          />
          <Switch
            label={t.by_mail}
            checked={by_mail}
            disabled={!can || !is_enabled || update.isPending}
            aria-label={`${title}: ${t.by_mail}`}
            onChange={({ currentTarget }) => change({ by_mail: currentTarget.checked })}
          />
        </Group>
      </Group>
      <ProblemAlert problem={update.error} />
    </div>
  );
}
