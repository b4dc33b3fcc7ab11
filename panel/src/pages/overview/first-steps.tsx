import { Text } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { SandboxSend } from '../../parts/sandbox-send.tsx';
import { useCan } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useApi } from '../../shell/use-api.ts';
import styles from './overview.module.css';
import { words } from './words.ts';

/** What is left to do on the first day; gone once all of it is done. */
export function FirstSteps() {
  const t = useWords(words);
  const api = useApi();
  const can = useCan();
  const one = { page_size: 1 };
  const mails = useQuery(api.read('panel_list_mails', { query: one })).data;
  const domains = useQuery(api.read('panel_list_domains', { query: { page_size: 5 } })).data;
  const senders = useQuery(api.read('panel_list_senders', { query: { page_size: 20 } })).data;
  const keys = useQuery({
    ...api.read('panel_list_api_keys', { query: one }),
    enabled: can('panel_list_api_keys'),
  }).data;
  if (!mails || !domains || !senders || !keys) return null;
  const steps: { name: keyof typeof t.steps; isDone: boolean; way: ReactNode }[] = [
    { name: 'send', isDone: mails.data.length > 0, way: <SandboxSend variant="default" /> },
    {
      name: 'domain',
      isDone: domains.data.some(({ is_sandbox }) => !is_sandbox),
      way: <PageLink page="domains">{t.to_domains}</PageLink>,
    },
    {
      name: 'sender',
      isDone: senders.data.some(({ email_address }) => !email_address.endsWith('.sandbox.test')),
      way: <PageLink page="senders">{t.to_senders}</PageLink>,
    },
    {
      name: 'key',
      isDone: keys.data.length > 0,
      way: (
        <CopyField value={`npx chasqui api-key create --instance ${api.slug} --name first --scopes all`} />
      ),
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
