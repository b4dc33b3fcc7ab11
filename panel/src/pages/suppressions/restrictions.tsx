import { Stack } from '@mantine/core';
import { IconLockOpen, IconUserCancel } from '@tabler/icons-react';
import type { MailRestriction } from '../../api/operations.ts';
import { BulkAction } from '../../parts/bulk-action.tsx';
import { IconAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useDates } from './use-dates.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

type Reason = MailRestriction['reason'];
const tones: Record<Reason, Tone> = { hard_bounce: 'bad', complaint: 'warn', manual: 'quiet' };
const reasons = Object.keys(tones) as Reason[];
const sorts = ['oldest', 'recipient'] as const;

/** Addresses that no sender of the instance writes to. */
export function Restrictions() {
  const t = useMessages('suppressions');
  const api = useApi();
  const can = useCan();
  const [{ recipient, reason, sort, page }] = useUrlState();
  const { dates, filter } = useDates();
  const query = {
    ...dates,
    recipient,
    reason: reasons.find((each) => each === reason),
    sort: sorts.find((each) => each === sort),
    page: Number(page ?? 1),
  };
  return (
    <>
      <ListBody
        label={t.restrictions}
        filters={[
          { kind: 'text', name: 'recipient', label: t.address },
          filter,
          {
            kind: 'select',
            name: 'reason',
            label: t.reason,
            options: reasons.map((value) => ({ value, label: t.reasons[value] })),
          },
        ]}
        query={api.read('panel_list_restrictions', { query })}
        columns={useColumns()}
        idOf={({ id }) => id}
        choice="restrictions"
        bulk={
          can('panel_delete_restriction')
            ? (rows, onDone) => (
                <BulkAction
                  label={t.lift_many}
                  about={t.lift_many_about(rows.length)}
                  keys={rows.map(({ id }) => String(id))}
                  run={async (id) =>
                    await api.call('panel_delete_restriction', { params: { id: Number(id) } })
                  }
                  isDangerous
                  onDone={onDone}
                />
              )
            : undefined
        }
        empty={{ icon: IconUserCancel, title: t.no_restrictions, about: t.no_restrictions_about }}
      />
    </>
  );
}

function useColumns(): Column<MailRestriction>[] {
  const t = useMessages('suppressions');
  const can = useCan();
  const inWords = useDetailWords();
  const columns: Column<MailRestriction>[] = [
    {
      name: 'address',
      header: t.address,
      cell: ({ recipient }) => recipient,
      sort: { ascending: 'recipient' },
    },
    {
      name: 'reason',
      header: t.reason,
      min: 9,
      cell: ({ reason, mail_id }) => {
        const badge = <StatusBadge tone={tones[reason]}>{t.reasons[reason]}</StatusBadge>;
        if (mail_id === null) return badge;
        return (
          <PageLink page="mail" id={mail_id}>
            {badge}
          </PageLink>
        );
      },
      rank: 1,
    },
    {
      name: 'detail',
      header: t.detail,
      min: 10,
      grow: 3,
      cell: ({ detail }) => (
        <span title={detail ?? undefined}>{detail === null ? '—' : inWords(detail)}</span>
      ),
      rank: 2,
    },
    {
      name: 'since',
      header: t.since,
      min: 11,
      align: 'end',
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 1,
      sort: { ascending: 'oldest', descending: '' },
    },
  ];
  if (!can('panel_delete_restriction')) return columns;
  const lift: Column<MailRestriction> = {
    name: 'actions',
    header: t.actions,
    min: 5.5,
    align: 'end',
    cell: (restriction) => <Lift restriction={restriction} />,
  };
  return [...columns, lift];
}

/** What the service noted is a code; what people noted stays as it is. */
function useDetailWords(): (detail: string) => string {
  const t = useMessages('suppressions');
  const known: Record<string, string | undefined> = { ...t.codes, ...t.types };
  return (detail) => known[detail] ?? detail;
}

/** Says what was the reason before it goes. */
function Lift({ restriction: { id, recipient, reason, detail } }: { restriction: MailRestriction }) {
  const t = useMessages('suppressions');
  const inWords = useDetailWords();
  const lift = useChange('panel_delete_restriction', { onDone: () => toast(t.lifted) });
  return (
    <IconAction
      label={t.lift}
      named={t.lift_of(recipient)}
      icon={IconLockOpen}
      isDangerous
      run={async () => await lift.mutateAsync({ params: { id } })}
      about={
        <Stack gap="xs">
          <span>{t.lift_about(recipient)}</span>
          <span>{t.lift_reasons[reason]}</span>
          {detail !== null && <span>{t.was_said(inWords(detail))}</span>}
        </Stack>
      }
    />
  );
}
