import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import type { Form, FormSubmission } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { askedFields, useAnswerText } from './answers.ts';
import type { Catalogue } from './catalogue.ts';
import styles from './form.module.css';
import { SubmissionDialog } from './submission-dialog.tsx';
import { SubmissionState } from './submission-state.tsx';

type Status = FormSubmission['status'];
const statuses = ['pending', 'confirmed', 'expired'] as const satisfies Status[];

/** What people sent with the form. */
export function Submissions({ form, catalogue }: { form: Form; catalogue: Catalogue }) {
  const t = useMessages('form_submissions');
  const api = useApi();
  const { slug, timezone: tz } = useInstance();
  const [state, change] = useUrlState();
  const status = statuses.find((each) => each === state['status']);
  const params = { id: form.id };
  const page = Number(state['page'] ?? 1);
  const opened = state['open'];
  const query = api.read('panel_list_form_submissions', { params, query: { status, page } });
  const { data } = useQuery(query);
  return (
    <div className={styles['list']}>
      {(status !== undefined || data?.data.length !== 0) && (
        <div className={styles['listTools']}>
          <ExportMenu
            run={async (format, signal) =>
              await respond(
                'panel_export_form_submissions',
                { params, query: { status, tz, format } },
                { slug, signal },
              )
            }
          />
        </div>
      )}
      <ListBody
        label={t.title}
        filters={[
          {
            kind: 'select',
            name: 'status',
            label: t.status,
            options: statuses.map((value) => ({ value, label: t.statuses[value] })),
          },
        ]}
        query={query}
        columns={useColumns(form, catalogue)}
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'form', id: form.id, search: { ...state, open: String(id) } })}
        empty={{
          icon: IconInbox,
          title: t.empty,
          about: t.empty_about,
          action: (
            <Button variant="default" onClick={() => change({ tab: 'embed' })}>
              {t.share}
            </Button>
          ),
        }}
      />
      {opened !== undefined && (
        <SubmissionDialog
          form={form}
          catalogue={catalogue}
          id={Number(opened)}
          onClose={() => change({ open: undefined })}
        />
      )}
    </div>
  );
}

/** As many answers as fit beside each other; all of them are in the dialog and in the export. */
const shownAnswers = 3;

function useColumns(form: Form, catalogue: Catalogue): Column<FormSubmission>[] {
  const t = useMessages('form_submissions');
  const textOf = useAnswerText();
  const asked = askedFields(form, catalogue);
  const first = asked.find(({ field }) => field.field_key === 'EMAIL') ?? asked[0];
  const others = asked.filter((each) => each !== first).slice(0, shownAnswers - 1);
  const answerOf = ({ answers }: FormSubmission, { field }: (typeof asked)[number]): string =>
    textOf(field, answers[field.field_key]);
  return [
    {
      name: 'first',
      header: first?.name ?? t.one,
      cell: (row) => {
        const answer = first && answerOf(row, first);
        return answer === undefined || answer === t.no_answer ? t.number(row.id) : answer;
      },
    },
    ...others.map((each, index) => ({
      name: each.field.field_key,
      header: each.name,
      cell: (row: FormSubmission) => answerOf(row, each),
      rank: index === 0 ? 1 : 2,
    })),
    {
      name: 'status',
      header: t.status,
      min: 7.5,
      cell: ({ status, replaced_by }) =>
        replaced_by === null ? (
          <SubmissionState status={status} />
        ) : (
          <StatusBadge tone="quiet">{t.replaced}</StatusBadge>
        ),
    },
    {
      name: 'sent',
      header: t.sent,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 1,
    },
  ];
}
