import { Modal, Stack } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { SmtpCredential } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { RemoveButton } from '../../parts/actions.tsx';
import { Facts } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

export function CredentialDetail({
  credential: { name, username, created_at, revoked_at },
  onClose,
}: {
  credential: SmtpCredential;
  onClose: () => void;
}) {
  const t = useMessages('smtp_credentials');
  const can = useCan();
  const revoke = useChange('panel_revoke_smtp_credential', { onDone: () => toast(t.is_revoked) });
  return (
    <Modal opened onClose={onClose} title={name}>
      <Stack gap="lg">
        <Facts
          facts={[
            { name: t.username, value: <CopyField value={username} label={t.username} /> },
            { name: t.created, value: <Time at={created_at} /> },
            revoked_at !== null && { name: t.revoked, value: <Time at={revoked_at} /> },
          ]}
        />
        {revoked_at === null && can('panel_revoke_smtp_credential') && (
          <RemoveButton
            label={t.revoke}
            icon={IconBan}
            about={t.revoke_about(name)}
            name={name}
            run={async () => {
              await revoke.mutateAsync({ params: { username } });
              onClose();
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}
