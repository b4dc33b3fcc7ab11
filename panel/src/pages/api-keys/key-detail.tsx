import { Modal, Stack } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { ApiKey } from '../../api/operations.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { Facts } from '../../parts/detail.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { grouped, stateOf, stateTones } from './scopes.ts';

/** What a key may do, and the way to end it. */
export function KeyDetail({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useMessages('api_keys');
  const can = useCan();
  const state = stateOf(apiKey);
  const scopes = grouped.flatMap(([group, of]) => {
    const held = of.filter((scope) => apiKey.scopes.includes(scope));
    return held.length === 0 ? [] : [{ group, text: held.map((scope) => t.scope[scope]).join(' · ') }];
  });
  return (
    <Modal opened onClose={onClose} title={apiKey.name} size="lg">
      <Stack gap="lg">
        <Facts
          facts={[
            { name: t.state, value: <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge> },
            { name: t.key, value: <code>{`chq.${apiKey.id}.…`}</code> },
            ...scopes.map(({ group, text }) => ({ name: t.groups[group], value: text })),
            { name: t.addresses, value: apiKey.ip_allowlist.join(', ') || t.any_address },
            apiKey.sandbox_only && { name: t.sandbox_only, value: t.sandbox_only_help },
            { name: t.created, value: <Time at={apiKey.created_at} /> },
            {
              name: t.last_used,
              value: apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : t.never_used,
            },
            { name: t.expires, value: apiKey.expires_at ? <Time at={apiKey.expires_at} /> : t.never },
            apiKey.revoked_at !== null && { name: t.revoked, value: <Time at={apiKey.revoked_at} /> },
          ]}
        />
        {state !== 'revoked' && can('panel_revoke_api_key') && (
          <RevokeKey apiKey={apiKey} onRevoked={onClose} />
        )}
      </Stack>
    </Modal>
  );
}

function RevokeKey({ apiKey: { id, name }, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  const t = useMessages('api_keys');
  const revoke = useChange('panel_revoke_api_key', { onDone: () => toast(t.is_revoked) });
  return (
    <RemoveButton
      label={t.revoke}
      icon={IconBan}
      about={t.revoke_about(name)}
      name={name}
      run={async () => {
        await revoke.mutateAsync({ params: { key_id: id } });
        onRevoked();
      }}
    />
  );
}
