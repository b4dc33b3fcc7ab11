import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowRight, IconUserSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import styles from './consent.module.css';
import { Form } from '../../parts/form.tsx';

/** Leads to the evidence of the person who is named. */
export function FindPerson() {
  const t = useMessages('consent');
  const { slug } = useInstance();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const contact = typed.trim();
  return (
    <Form
      role="search"
      aria-label={t.find}
      className={styles['find']}
      onSubmit={() => {
        if (contact) void navigate(linkTo(slug, { page: 'consent_evidence', search: { contact } }));
      }}
    >
      <TextInput
        aria-label={t.find}
        placeholder={t.find_hint}
        value={typed}
        maxLength={254}
        onChange={({ target }) => setTyped(target.value)}
        leftSection={<IconUserSearch size={16} aria-hidden />}
        rightSection={
          <ActionIcon type="submit" variant="subtle" aria-label={t.show_evidence} disabled={!contact}>
            <IconArrowRight size={16} />
          </ActionIcon>
        }
      />
    </Form>
  );
}
