import { Autocomplete, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Field } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import styles from './template.module.css';
import type { ContactSamples } from './use-contact-samples.ts';

/** What a broadcast knows about each recipient, as variables; and the mail as one of them would get it. */
export function ContactFields({ chosen }: { chosen: ContactSamples }) {
  const t = useMessages('template');
  const api = useApi();
  const { data } = useQuery(api.read('panel_list_fields', { query: { is_active: true, page_size: 100 } }));
  const fields = (data?.data ?? []).filter(({ field_key }) => field_key !== 'EMAIL');
  return (
    <Section title={t.contact_fields}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.contact_fields_about}
      </Text>
      <ContactChoice chosen={chosen} />
      <div className={styles['variables']}>
        {fields.map((field) => (
          <div key={field.id} className={styles['variable']}>
            <div>
              <CopyField value={`{{ contact.${field.field_key} }}`} />
              <small>{field.name}</small>
            </div>
            <Text size="sm" c="dimmed">
              {chosen.contact === ''
                ? exampleOf(field)
                : (chosen.samples[`contact.${field.field_key}`] ?? '—')}
            </Text>
          </div>
        ))}
      </div>
    </Section>
  );
}

function ContactChoice({ chosen: { contact, choose, error } }: { chosen: ContactSamples }) {
  const t = useMessages('template');
  const api = useApi();
  const [typed, setTyped] = useState(contact);
  const [searched] = useDebouncedValue(typed, 300);
  const { data } = useQuery(
    api.read('panel_list_contacts', { query: { contact: searched || undefined, page_size: 10 } }),
  );
  const found = (data?.data ?? []).map((each) => each.contact);
  const change = (value: string): void => {
    setTyped(value);
    if (value === '' || found.includes(value)) choose(value);
  };
  return (
    <>
      <Autocomplete
        label={t.preview_as}
        placeholder={t.preview_as_nobody}
        description={t.preview_as_help}
        data={found}
        value={typed}
        onChange={change}
        clearable
        mb="md"
      />
      <ProblemAlert problem={error} />
    </>
  );
}

const examples: Record<Field['type'], string> = {
  email: 'ana@example.com',
  phone: '+56912345678',
  text: '',
  textarea: '',
  number: '42',
  date: '2026-12-24',
  select: '',
  multiselect: '',
  boolean: 'true',
  url: 'https://example.com',
  address: 'Av. Brasil 1490, Valparaíso',
};
const ofSystem: Record<string, string> = { FIRST_NAME: 'Ana', LAST_NAME: 'Rojas', UNIQUECODE: 'C-1001' };

/** Of what the field takes: of a choice, its first option. */
function exampleOf({ type, field_key, config }: Field): string {
  const { options } = (config ?? {}) as { options?: { value: string }[] };
  const own = options?.[0]?.value ?? ofSystem[field_key];
  return own ?? (examples[type] || '…');
}
