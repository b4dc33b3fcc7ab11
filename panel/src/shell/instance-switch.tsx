import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import styles from './frame.module.css';
import { useInstanceIfAny } from '../parts/app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { Mark } from '../parts/app/mark.tsx';
import { linkTo } from '../parts/app/page-link.tsx';

/** Which instance is open, and the way to another one. */
export function InstanceSwitch() {
  const t = useMessages('shell');
  const navigate = useNavigate();
  const current = useStore(session);
  const open = useInstanceIfAny();
  const instances = current.state === 'signed-in' ? current.instances : [];
  const face = (
    <>
      <span className={styles['mark']}>
        <Mark size={20} />
      </span>
      <span className={styles['name']}>
        <Text fw={600} size="md" truncate>
          {open?.name ?? 'Chasqui'}
        </Text>
        {open && (
          <Text size="xs" c="dimmed" truncate>
            {open.slug}
          </Text>
        )}
      </span>
    </>
  );
  if (open && instances.length < 2) return <div className={styles['switch']}>{face}</div>;
  return (
    <Menu width={260} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles['switch']}>
          {face}
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.switch_instance}</Menu.Label>
        {instances.map(({ slug, name }) => (
          <Menu.Item
            key={slug}
            onClick={() => void navigate(linkTo(slug, { page: 'overview' }))}
            rightSection={slug === open?.slug ? <IconCheck size={14} aria-hidden /> : null}
          >
            <Text size="sm">{name}</Text>
            <Text size="xs" c="dimmed">
              {slug}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
