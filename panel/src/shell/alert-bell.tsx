import { Anchor, Button, Group, Indicator, Loader, Popover, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { AlertText, placeOfAlert } from '../parts/app/alert-text.tsx';
import { linkTo, type Place } from '../parts/app/page-link.tsx';
import { useApi, useChange } from '../parts/app/use-api.ts';
import { Time } from '../parts/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import styles from './frame.module.css';

const every_ms = 60_000;

/** What needs somebody, one press away; the dot says that there is something new. */
export function AlertBell() {
  const t = useMessages('shell');
  const api = useApi();
  const [opened, { toggle, close }] = useDisclosure();
  const { data } = useQuery({
    ...api.read('panel_count_unread_alerts', {}),
    refetchInterval: every_ms,
    staleTime: every_ms / 2,
  });
  const unread = data?.unread ?? 0;
  return (
    <Popover
      opened={opened}
      onChange={(isOpen) => !isOpen && close()}
      position="bottom-end"
      width={320}
      trapFocus
    >
      <Popover.Target>
        <UnstyledButton
          p="xs"
          className={styles['bell']}
          onClick={toggle}
          aria-label={unread === 0 ? t.alerts : t.unread_alerts(unread)}
          aria-expanded={opened}
        >
          <Indicator disabled={unread === 0} color="red" size={8} offset={2}>
            <IconBell size={20} aria-hidden />
          </Indicator>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<Loader size="sm" />}>
          <Newest onFollow={close} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

function Newest({ onFollow }: { onFollow: () => void }) {
  const t = useMessages('alerts');
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_alerts', { query: { is_open: true, page_size: 10 } }));
  const read = useChange('panel_read_alerts');
  const alerts = data?.data ?? [];
  const hasUnread = alerts.some(({ is_read }) => is_read === false);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{t.title}</Text>
        {hasUnread && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={read.isPending}
            onClick={() => read.mutate({ body: {} })}
          >
            {t.mark_read}
          </Button>
        )}
      </Group>
      {!data && <Loader size="sm" />}
      {data && alerts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      <ul className={styles['alerts']} aria-label={t.title}>
        {alerts.map((alert) => (
          <li key={alert.id} data-unread={alert.is_read === false || undefined}>
            <Leading
              place={placeOfAlert(alert)}
              isNew={alert.is_read === false}
              onClick={() => {
                if (alert.is_read === false) read.mutate({ body: { ids: [alert.id] } });
                onFollow();
              }}
            >
              <AlertText alert={alert} />
            </Leading>
            <Text size="xs" c="dimmed" component="div">
              <Time at={alert.raised_at} />
            </Text>
          </li>
        ))}
      </ul>
      <Leading place={{ page: 'alerts' }} onClick={onFollow}>
        {t.all}
      </Leading>
    </>
  );
}

function Leading({
  place,
  isNew = false,
  onClick,
  children,
}: {
  place: Place;
  isNew?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const { slug } = useApi();
  return (
    <Anchor
      size="sm"
      fw={isNew ? 600 : 400}
      onClick={onClick}
      renderRoot={(props) => <Link {...props} {...linkTo(slug, place)} />}
    >
      {children}
    </Anchor>
  );
}
