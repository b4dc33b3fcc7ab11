import { Text } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Section } from '../../parts/detail.tsx';
import { SandboxSend } from '../../parts/sandbox-send.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './overview.module.css';

/** What is left to do on the first day, for those who can do it; gone once all of it is done. */
export function FirstSteps() {
  const t = useMessages('overview');
  const api = useApi();
  const can = useCan();
  const checklist = useQuery(api.read('panel_get_attention', {})).data?.checklist;
  if (!checklist || !can('panel_create_domain')) return null;
  const steps: { name: keyof typeof t.steps; isDone: boolean; way: ReactNode }[] = [
    { name: 'send', isDone: checklist.has_sent, way: <SandboxSend variant="default" /> },
    {
      name: 'domain',
      isDone: checklist.has_verified_domain,
      way: <PageLink page="domains">{t.to_domains}</PageLink>,
    },
    { name: 'sender', isDone: checklist.has_sender, way: <PageLink page="senders">{t.to_senders}</PageLink> },
    {
      name: 'key',
      isDone: checklist.has_api_key,
      way: can('panel_list_api_keys') && <PageLink page="api_keys">{t.to_keys}</PageLink>,
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <div className={styles['first']}>
      <Section title={t.started}>
        <ul className={styles['steps']}>
          {steps.map(({ name, isDone, way }) => (
            <li key={name} className={styles['step']} data-done={isDone || undefined}>
              <span className={styles['stepHead']}>
                {isDone ? (
                  <IconCircleCheck size={18} aria-label={t.done} />
                ) : (
                  <IconCircle size={18} aria-hidden />
                )}
                {t.steps[name].title}
              </span>
              <Text size="sm" c="dimmed">
                {t.steps[name].about}
              </Text>
              {!isDone && <div>{way}</div>}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
