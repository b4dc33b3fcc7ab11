import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';

/** What is held about the person, counted by kind. */
export function Held({ request: { id, status, contacts, closed_at } }: { request: RightsRequestDetail }) {
  const t = useMessages('rights_request');
  const { number } = useFormat();
  const api = useApi();
  const { data, error } = useQuery({
    ...api.read('panel_count_rights_data', { params: { id } }),
    // It reads as much as an archive does: not again with every tick of the checklist.
    queryKey: ['rights-held', api.slug, id, closed_at],
    staleTime: 60_000,
    enabled: status !== 'unverified' && contacts.length > 0,
    retry: false,
  });
  if (status === 'unverified' || contacts.length === 0) return null;
  const order = Object.keys(t.held_kinds);
  const held = data?.data
    .filter(({ rows }) => rows > 0)
    .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return (
    <Section title={t.held}>
      <ProblemAlert problem={error} />
      {!data && !error && <Skeleton height={96} />}
      {held?.length === 0 && <Text size="sm">{t.held_nothing}</Text>}
      {held && held.length > 0 && (
        <Table aria-label={t.held} verticalSpacing={6}>
          <Table.Tbody>
            {held.map(({ name, rows, has_more }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {t.held_kinds[name as keyof typeof t.held_kinds] ?? name}
                </Table.Th>
                <Table.Td ta="end">{has_more ? t.more_than(number(rows)) : number(rows)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
