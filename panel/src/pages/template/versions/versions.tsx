import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { MailTemplateDetail, TemplateVersion } from '../../../api/operations.ts';
import type { Column } from '../../../parts/data-list.tsx';
import { Marked } from '../../../parts/data-list.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ListBody } from '../../../parts/list-page.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { Time } from '../../../parts/time.tsx';
import { useFormat } from '../../../shell/format.ts';
import { useWords } from '../../../shell/languages.ts';
import { useUrlState } from '../../../shell/url-state.ts';
import { useApi } from '../../../shell/use-api.ts';
import { Comparison } from './comparison.tsx';
import { savedBy } from './saved-by.ts';
import styles from '../template.module.css';
import { words } from './words.ts';

/** What the template said before; one that is opened is compared. */
export function Versions({ template }: { template: MailTemplateDetail }) {
  const [{ open }] = useUrlState();
  const version = Number(open);
  if (version > 0) return <Comparison key={open} template={template} version={version} />;
  return <VersionList template={template} />;
}

function VersionList({ template: { id } }: { template: MailTemplateDetail }) {
  const t = useWords(words);
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
        empty={
          <EmptyState icon={IconHistory} title={t.empty}>
            {t.empty_about}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useColumns(): Column<TemplateVersion>[] {
  const t = useWords(words);
  const { bytes, number } = useFormat();
  return [
    {
      name: 'version',
      header: t.version,
      width: '10.5rem',
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
    { name: 'subject', header: t.subject, cell: ({ subject }) => subject, from: 'md' },
    {
      name: 'size',
      header: t.size,
      width: '6rem',
      align: 'end',
      cell: ({ size_bytes }) => bytes(size_bytes),
      from: 'sm',
    },
  ];
}
