import { IconTemplate } from '@tabler/icons-react';
import type { MailTemplate } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { NewTemplateDialog } from './new-template-dialog.tsx';
import { TemplateState } from './template-state.tsx';
import styles from './templates.module.css';
import { Thumbnail } from './thumbnail.tsx';

export function Page() {
  const t = useMessages('templates');
  const api = useApi();
  const [{ name, state, page }] = useUrlState();
  const query = {
    name,
    is_published: state === undefined ? undefined : state === 'published',
    page: Number(page ?? 1),
    page_size: 12,
  };
  return (
    <ListPage
      title={t.title}
      about={t.about}
      add={{
        label: t.add,
        needs: 'panel_create_template',
        dialog: (dialog) => <NewTemplateDialog {...dialog} />,
      }}
      filters={[
        { kind: 'text', name: 'name', label: t.name },
        {
          kind: 'select',
          name: 'state',
          label: t.state,
          options: (['published', 'draft'] as const).map((value) => ({ value, label: t.states[value] })),
        },
      ]}
      query={api.read('panel_list_templates', { query })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'template', id })}
      empty={{ icon: IconTemplate, title: t.empty, about: t.empty_about }}
    />
  );
}

function useColumns(): Column<MailTemplate>[] {
  const t = useMessages('templates');
  return [
    {
      name: 'preview',
      header: t.preview,
      min: 7.75,
      cell: (template) => <Thumbnail template={template} />,
    },
    {
      name: 'name',
      header: t.name,
      leads: true,
      cell: ({ name, subject }) => (
        <span className={styles['named']}>
          <span>{name}</span>
          <small>{subject ?? t.no_subject}</small>
        </span>
      ),
    },
    {
      name: 'state',
      header: t.state,
      min: 8,
      cell: (template) => <TemplateState template={template} />,
      rank: 1,
    },
    { name: 'id', header: t.id, min: 5, align: 'end', cell: ({ id }) => id, rank: 2 },
    {
      name: 'updated',
      header: t.updated,
      min: 10,
      align: 'end',
      cell: ({ updated_at }) => <Time at={updated_at} as="relative" />,
      rank: 2,
    },
  ];
}
