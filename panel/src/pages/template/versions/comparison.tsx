import { Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type {
  MailTemplateDetail,
  TemplateVersion,
  TemplateVersionComparison,
} from '../../../api/operations.ts';
import { ActionButton } from '../../../parts/actions.tsx';
import { Section } from '../../../parts/detail.tsx';
import { ProblemAlert } from '../../../parts/problem-alert.tsx';
import { toast } from '../../../parts/toast.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { useCan } from '../../../parts/app/instance.tsx';
import { useMessages } from '../../../messages/use-messages.ts';
import { PageLink } from '../../../parts/app/page-link.tsx';
import { useUrlState } from '../../../parts/app/url-state.ts';
import { useApi, useChange } from '../../../parts/app/use-api.ts';
import { Differences } from './differences.tsx';
import { savedBy } from './saved-by.ts';

/** One version beside another, the newest unless another is chosen. */
export function Comparison({ template, version }: { template: MailTemplateDetail; version: number }) {
  const t = useMessages('template_versions');
  const api = useApi();
  const [state, change] = useUrlState();
  const params = { template_id: template.id };
  const versions = useQuery(api.read('panel_list_template_versions', { params, query: { page_size: 50 } }));
  const other = state['with'] === undefined ? undefined : Number(state['with']);
  const { data, error } = useQuery(
    api.read('panel_compare_template_versions', {
      params: { ...params, version },
      query: { with: other },
    }),
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <PageLink page="template" id={template.id} search={{ tab: 'versions' }} size="sm" c="dimmed">
          <IconArrowLeft size={14} aria-hidden /> {t.back}
        </PageLink>
        <Restore template={template} version={version} isCurrent={data?.from.is_current ?? true} />
      </Group>
      <ProblemAlert problem={error} />
      {!data && !error && <Skeleton height={400} />}
      {data && (
        <>
          <Choices
            data={data}
            versions={versions.data?.data ?? []}
            onChoose={(chosen) => change({ ...chosen, tab: 'versions' })}
          />
          <Changes data={data} />
        </>
      )}
    </Stack>
  );
}

function Choices({
  data: { from, to },
  versions,
  onChoose,
}: {
  data: TemplateVersionComparison;
  versions: TemplateVersion[];
  onChoose: (chosen: { open?: string; with?: string }) => void;
}) {
  const t = useMessages('template_versions');
  const { number, moment } = useFormat();
  const options = versions.map((each) => ({
    value: String(each.version),
    label: `${t.name(number(each.version))}${each.is_current ? ` (${t.current})` : ''} · ${moment(each.created_at)} · ${savedBy(each, t.actors)}`,
  }));
  return (
    <Group grow preventGrowOverflow={false} wrap="wrap">
      <Select
        label={t.compare}
        data={options}
        value={String(from.version)}
        onChange={(open) => open !== null && onChoose({ open, with: String(to.version) })}
        miw={260}
        styles={{ input: { textOverflow: 'ellipsis' } }}
      />
      <Select
        label={t.with}
        data={options}
        value={String(to.version)}
        onChange={(chosen) => chosen !== null && onChoose({ with: chosen })}
        miw={260}
        styles={{ input: { textOverflow: 'ellipsis' } }}
      />
    </Group>
  );
}

function Changes({ data: { from, to, changed } }: { data: TemplateVersionComparison }) {
  const t = useMessages('template_versions');
  if (changed.length === 0) return <Text c="dimmed">{t.same}</Text>;
  return changed.map((member) => (
    <Section key={member} title={t.members[member]}>
      <Differences
        before={from[member] ?? ''}
        after={to[member] ?? ''}
        language={member === 'source' ? to.editor : 'text'}
        label={t.members[member]}
      />
    </Section>
  ));
}

function Restore({
  template,
  version,
  isCurrent,
}: {
  template: MailTemplateDetail;
  version: number;
  isCurrent: boolean;
}) {
  const t = useMessages('template_versions');
  const can = useCan();
  const { number } = useFormat();
  const [, change] = useUrlState();
  const restore = useChange('panel_restore_template_version', {
    onDone: () => {
      toast(t.restored_done);
      change({ tab: 'versions', open: undefined, with: undefined });
    },
  });
  if (!can('panel_restore_template_version') || isCurrent) return null;
  return (
    <ActionButton
      variant="filled"
      action={{
        label: t.restore(number(version)),
        icon: IconArrowBackUp,
        about: `${t.restore_about} ${template.is_published ? t.restore_live : ''}`,
        run: async () => await restore.mutateAsync({ params: { template_id: template.id, version } }),
      }}
    />
  );
}
