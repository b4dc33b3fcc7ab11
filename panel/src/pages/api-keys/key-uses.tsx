import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linesFor, type Use, uses } from './key-lines.ts';

const names: Record<Use, string> = {
  chasqui: 'Chasqui',
  resend: 'Resend',
  postmark: 'Postmark',
  sendgrid: 'SendGrid',
  smtp: 'SMTP',
};

/** How programs use a new key: with our API, or with the client of another service that they have already. */
export function KeyUses({ slug, origin = location.origin }: { slug: string; origin?: string }) {
  const t = useMessages('api_keys');
  const [use, choose] = useState<Use>('chasqui');
  return (
    <Stack gap="xs">
      <Select
        label={t.use_with}
        data={uses.map((value) => ({ value, label: names[value] }))}
        value={use}
        onChange={(value) => choose(value ?? 'chasqui')}
        allowDeselect={false}
      />
      {use === 'chasqui' && <Text size="sm">{t.first_mail}</Text>}
      {use === 'smtp' && <Text size="sm">{t.smtp_about}</Text>}
      {linesFor(use, { origin, slug }).map(([language, lines]) => (
        <div key={language}>
          <Text size="xs" fw={600} c="dimmed" mb={2}>
            {language}
          </Text>
          <CopyField value={lines} label={`${names[use]}, ${language}`} block />
        </div>
      ))}
    </Stack>
  );
}
