import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

interface Choice {
  value?: string;
  onChange: (value: string | null) => void;
  error?: React.ReactNode;
  disabled?: boolean;
}

const all = { page_size: 100 };

export function SenderChoice(choice: Choice) {
  const t = useMessages('broadcasts');
  const { data } = useQuery(useApi().read('panel_list_senders', { query: all }));
  const senders = (data?.data ?? []).filter(({ stream }) => stream === 'broadcast');
  return (
    <Select
      label={t.sender}
      description={data && senders.length === 0 ? t.no_senders : t.sender_help}
      data={senders.map(({ id, email_address }) => ({ value: String(id), label: email_address }))}
      {...choice}
    />
  );
}

export function TemplateChoice(choice: Choice) {
  const t = useMessages('broadcasts');
  const { data } = useQuery(useApi().read('panel_list_templates', { query: all }));
  return (
    <Select
      label={t.template}
      data={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      {...choice}
    />
  );
}

export function PurposeChoice(choice: Choice) {
  const t = useMessages('broadcasts');
  const { data } = useQuery(useApi().read('panel_list_consent_purposes', { query: all }));
  return (
    <Select
      label={t.purpose}
      description={t.purpose_help}
      data={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      {...choice}
    />
  );
}
