import { Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { NameInDns } from '../../api/operations.ts';
import { ApiProblem } from '../../api/problem.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { useMessages } from '../../messages/use-messages.ts';

/** Looks the name up first: a name whose mailboxes are elsewhere would lose its mail with our MX. */
export function AddDomainDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('domains');
  const api = useApi();
  const navigate = useNavigate();
  /** As it was typed: an IDN comes back as its A-labels. */
  const [inUse, setInUse] = useState<{ typed: string; name: NameInDns }>();
  const [isSure, setSure] = useState(false);
  const create = useChange('panel_create_domain', {
    onDone: ({ id }) => void navigate(linkTo(api.slug, { page: 'domain', id })),
  });
  const close = (): void => {
    setInUse(undefined);
    setSure(false);
    onClose();
  };
  const add = async (domain: string): Promise<void> => {
    const found = isSure && inUse?.typed === domain ? undefined : await lookUp(domain);
    const isStopped = found !== undefined && isInUse(found);
    setSure(false);
    setInUse(isStopped ? { typed: domain, name: found } : undefined);
    if (!isStopped) await create.mutateAsync({ body: { domain } });
  };
  const lookUp = async (domain_name: string): Promise<NameInDns | undefined> => {
    try {
      return await api.call('panel_look_up_domain_name', { params: { domain_name } });
    } catch (error) {
      // What is not a name is told by the creation, at the input.
      if (error instanceof ApiProblem && error.status === 422) return undefined;
      throw error;
    }
  };
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={close}
      initial={{ domain: '' }}
      submit={inUse && isSure ? t.add_anyway : t.add}
      keepsOpen
      onSubmit={async ({ domain }) => await add(domain)}
    >
      {(form) => (
        <Stack gap="md">
          <TextInput
            label={t.domain}
            description={t.domain_help}
            data-autofocus
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('domain')}
          />
          {inUse?.typed === form.values.domain && (
            <Stopped
              name={inUse.name}
              isSure={isSure}
              onSure={setSure}
              onSuggested={(domain) => {
                form.setFieldValue('domain', domain);
                setInUse(undefined);
              }}
            />
          )}
        </Stack>
      )}
    </FormDialog>
  );
}

interface StoppedProps {
  name: NameInDns;
  isSure: boolean;
  onSure: (isSure: boolean) => void;
  onSuggested: (domain: string) => void;
}

function Stopped({ name, isSure, onSure, onSuggested }: StoppedProps) {
  const t = useMessages('domains');
  const { domain, alias_of, mail_servers, suggested_domain } = name;
  const isAlias = alias_of !== null;
  return (
    <Alert
      color="orange"
      role="alert"
      icon={<IconMailOff size={18} />}
      title={isAlias ? t.is_alias(domain) : t.in_use(domain)}
    >
      <Stack gap="sm">
        <Text size="sm">{isAlias ? t.is_alias_about(alias_of) : t.in_use_about(domain)}</Text>
        {!isAlias && (
          <List size="sm">
            {mail_servers.slice(0, 3).map(({ exchange }) => (
              <List.Item key={exchange}>
                <code>{exchange}</code>
              </List.Item>
            ))}
          </List>
        )}
        {suggested_domain !== null && (
          <Group>
            <Button size="xs" onClick={() => onSuggested(suggested_domain)}>
              {t.use_instead(suggested_domain)}
            </Button>
          </Group>
        )}
        {!isAlias && (
          <Checkbox
            label={t.no_mailboxes(domain)}
            checked={isSure}
            onChange={({ target }) => onSure(target.checked)}
          />
        )}
      </Stack>
    </Alert>
  );
}

function isInUse({ receives_mail_elsewhere, alias_of }: NameInDns): boolean {
  return receives_mail_elsewhere === true || alias_of !== null;
}
