import { Button, Group, PasswordInput, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Passkey } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { useMe } from '../../parts/app/me.ts';
import { hasPasskeys, makePasskey, PasskeyCancelled } from '../../parts/app/passkey.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { Section } from '../../parts/detail.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { AccountName } from './account-name.tsx';
import styles from './account.module.css';
import { deviceOf } from './user-agent.ts';

type Asking = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** Keys in phones, computers and security keys. */
export function PasskeysSection() {
  const t = useMessages('account');
  const { data, error } = useQuery(readOf('panel_list_passkeys', {}));
  const methods = useQuery({ ...readOf('panel_list_sign_in_methods', {}), staleTime: Infinity }).data;
  const [asking, setAsking] = useState<Asking>();
  const [codes, setCodes] = useState<string[]>();
  const passkeys = data?.data ?? [];
  const isPossible = methods?.passkeys === true && hasPasskeys();
  const close = (): void => setAsking(undefined);
  if (methods && !isPossible && passkeys.length === 0) return null;
  return (
    <Section
      title={t.passkeys}
      actions={
        isPossible && (
          <Button variant="default" size="xs" onClick={() => setAsking({ kind: 'add' })}>
            {t.add_passkey}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb={passkeys.length > 0 ? 'md' : 0}>
        {t.passkeys_about}
      </Text>
      <ProblemAlert problem={error} />
      {!data && !error && <Skeleton height={48} />}
      <ul className={styles['sessions']} aria-label={t.passkeys}>
        {passkeys.map((passkey) => (
          <li key={passkey.id} data-wraps>
            <div>
              <Group gap="xs">
                <Text fw={500}>{passkey.name}</Text>
                {passkey.is_backed_up && <StatusBadge tone="quiet">{t.synced}</StatusBadge>}
              </Group>
              <Text size="sm" c="dimmed">
                {t.added} <Time at={passkey.created_at} /> ·{' '}
                {passkey.last_used_at ? (
                  <>
                    {t.last_used} <Time at={passkey.last_used_at} />
                  </>
                ) : (
                  t.never_used
                )}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`${t.rename}: ${passkey.name}`}
                onClick={() => setAsking({ kind: 'rename', passkey })}
              >
                {t.rename}
              </Button>
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                aria-label={`${t.remove}: ${passkey.name}`}
                onClick={() => setAsking({ kind: 'remove', passkey })}
              >
                {t.remove}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      {asking?.kind === 'add' && <AddDialog onClose={close} onCodes={setCodes} />}
      {asking?.kind === 'rename' && <RenameDialog passkey={asking.passkey} onClose={close} />}
      {asking?.kind === 'remove' && (
        <RemoveDialog passkey={asking.passkey} isLast={passkeys.length === 1} onClose={close} />
      )}
      <SecretDialog
        title={t.recovery_codes}
        secrets={codes && [{ label: t.recovery_codes, value: codes.join('\n') }]}
        onStored={() => setCodes(undefined)}
      >
        <Text size="sm">{t.recovery_about}</Text>
      </SecretDialog>
    </Section>
  );
}

function AddDialog({ onClose, onCodes }: { onClose: () => void; onCodes: (codes: string[]) => void }) {
  const t = useMessages('account');
  const asks = useAsked();
  const add = useAccountChange('panel_add_passkey', ({ recovery_codes }) => {
    toast(t.passkey_added);
    if (recovery_codes) onCodes(recovery_codes);
  });
  const initial = { name: deviceOf(navigator.userAgent) ?? '', password: '', code: '' };
  return (
    <FormDialog
      title={t.add_passkey}
      opened
      onClose={onClose}
      initial={initial}
      submit={t.continue}
      onSubmit={async ({ name, ...proof }) => {
        const { options } = await call('panel_begin_passkey', { body: asks.given(proof) });
        const credential = await makePasskey(options).catch((error: unknown) => {
          throw error instanceof PasskeyCancelled ? new Error(t.passkey_cancelled) : error;
        });
        await add.mutateAsync({ body: { name, credential } });
      }}
    >
      {(form) => (
        <>
          <AccountName />
          <TextInput
            label={t.passkey_name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ProofInputs form={form} />
        </>
      )}
    </FormDialog>
  );
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useMessages('account');
  const rename = useAccountChange('panel_rename_passkey');
  return (
    <FormDialog
      title={t.rename}
      opened
      onClose={onClose}
      initial={{ name }}
      submit={t.rename}
      onSubmit={async (body) => await rename.mutateAsync({ params: { id }, body })}
    >
      {(form) => (
        <TextInput
          label={t.passkey_name}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </FormDialog>
  );
}

function RemoveDialog({
  passkey: { id, name },
  isLast,
  onClose,
}: {
  passkey: Passkey;
  isLast: boolean;
  onClose: () => void;
}) {
  const t = useMessages('account');
  const asks = useAsked();
  const remove = useAccountChange('panel_remove_passkey', () => toast(t.passkey_removed));
  const leavesNone = isLast && !asks.code;
  return (
    <FormDialog
      title={t.remove_passkey}
      opened
      onClose={onClose}
      initial={{ password: '', code: '' }}
      submit={t.remove}
      onSubmit={async (proof) => await remove.mutateAsync({ params: { id }, body: asks.given(proof) })}
    >
      {(form) => (
        <>
          <AccountName />
          <Text size="sm">{leavesNone ? t.remove_last_about(name) : t.remove_about(name)}</Text>
          <ProofInputs form={form} />
        </>
      )}
    </FormDialog>
  );
}

interface Proof {
  password: string;
  code: string;
}

/** What the account has of the proofs that the service asks for. */
function useAsked() {
  const me = useMe();
  const password = me?.has_password !== false;
  const code = me?.two_factor.is_enabled === true;
  return {
    password,
    code,
    given: (proof: Proof) => ({
      ...(password ? { password: proof.password } : {}),
      ...(code ? { code: proof.code } : {}),
    }),
  };
}

function ProofInputs({ form }: { form: { getInputProps: (name: 'password' | 'code') => object } }) {
  const t = useMessages('account');
  const asks = useAsked();
  return (
    <>
      {asks.password && (
        <PasswordInput
          label={t.current}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
      {asks.code && (
        <TextInput
          label={t.code}
          description={t.code_or_recovery}
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
      )}
    </>
  );
}
