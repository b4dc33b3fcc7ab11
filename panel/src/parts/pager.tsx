import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Pagination } from '../api/operations.ts';
import { useFormat } from './app/format.ts';
import { useMessages } from '../messages/use-messages.ts';

export function Pager({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const t = useMessages('parts');
  const { number } = useFormat();
  const { page, has_more, total_items, total_pages } = pagination;
  if (page === 1 && !has_more) {
    return total_items ? (
      <Text size="sm" c="dimmed" px="xs">
        {t.items(number(total_items))}
      </Text>
    ) : null;
  }
  return (
    <Group justify="space-between" px="xs" component="nav" aria-label={t.page_only(number(page))}>
      <Text size="sm" c="dimmed">
        {t.items(total_items === null ? t.many_items : number(total_items))}
      </Text>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {total_pages === null ? t.page_only(number(page)) : t.page_of(number(page), number(total_pages))}
        </Text>
        <ActionIcon
          variant="default"
          aria-label={t.previous}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t.next}
          disabled={!has_more}
          onClick={() => onPage(page + 1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
