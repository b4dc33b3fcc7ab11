import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { MailTemplateDetail, TemplateVersion } from '../../../api/operations.ts';
import type { Column } from '../../../parts/data-list.tsx';
import { Marked } from '../../../parts/data-list.tsx';
import { ListBody } from '../../../parts/list-page.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { Time } from '../../../parts/time.tsx';
import { useFormat } from '../../../parts/app/format.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useUrlState } from '../../../parts/app/url-state.ts';
import { useApi } from '../../../parts/app/use-api.ts';
import { Comparison } from './comparison.tsx';
import { savedBy } from './saved-by.ts';
import styles from '../template.module.css';

/** What the template said before; one that is opened is compared. */
export function Versions({ template }: { template: MailTemplateDetail }) {
  const [{ open }] = useUrlState();
  const version = Number(open);
  if (version > 0) return <Comparison key={open} template={template} version={version} />;
  return <VersionList template={template} />;
}

function VersionList({ template: { id } }: { template: MailTemplateDetail }) {
  const t = useMessages('template_versions');
  const api = useApi();
  const [{ page }] = useUrlState();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t.about}
      </Text>
      <ListBody
        label={t.versions}
        query={api.read('panel_list_template_versions', {
          params: { template_id: id },
          query: { page: Number(page ?? 1) },
        })}
        columns={useColumns()}
        idOf={({ version }) => version}
        to={({ version }) => ({
          page: 'template',
          id,
          search: { tab: 'versions', open: String(version) },
        })}
        empty={{ icon: IconHistory, title: t.empty, about: t.empty_about }}
      />
    </Stack>
  );
}

function useColumns(): Column<TemplateVersion>[] {
  const t = useMessages('template_versions');
  const { bytes, number } = useFormat();
  return [
    {
      name: 'version',
      header: t.version,
      min: 10.5,
      cell: ({ version, is_current }) => (
        <Marked badge={is_current && <StatusBadge tone="good">{t.current}</StatusBadge>}>
          {t.name(number(version))}
        </Marked>
      ),
    },
    {
      name: 'who',
      header: t.saved_by,
      cell: (each) => (
        <span className={styles['saved']}>
          <span>{savedBy(each, t.actors)}</span>
          <small>
            <Time at={each.created_at} />
            {each.restored_from !== null && ` · ${t.restored(number(each.restored_from))}`}
          </small>
        </span>
      ),
    },
    { name: 'subject', header: t.subject, cell: ({ subject }) => subject, rank: 2 },
    {
      name: 'size',
      header: t.size,
      min: 6,
      align: 'end',
      cell: ({ size_bytes }) => bytes(size_bytes),
      rank: 1,
    },
  ];
}
