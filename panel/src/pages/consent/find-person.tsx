import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowRight, IconUserSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { linkTo } from '../../shell/page-link.tsx';
import styles from './consent.module.css';
import { words } from './words.ts';

/** Leads to the evidence of whoever is named. */
export function FindPerson() {
  const t = useWords(words);
  const { slug } = useInstance();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const contact = typed.trim();
  return (
    <form
      role="search"
      aria-label={t.find}
      className={styles['find']}
      onSubmit={(event) => {
        event.preventDefault();
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
    </form>
  );
}
