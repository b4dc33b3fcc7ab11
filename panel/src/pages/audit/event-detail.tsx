import { Modal, Stack, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Facts } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useActionWords } from './action-words.ts';

/** One event, and the way to what else was done to the same thing or by the same person. */
export function EventDetail({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const t = useMessages('audit');
  const inWords = useActionWords();
  const { at, action, actor_kind, actor_id, actor_email, address, object_kind, object_id, details } = event;
  return (
    <Modal opened onClose={onClose} title={inWords(action)} size="lg">
      <Stack gap="md">
        <Facts
          facts={[
            { name: t.at, value: <Time at={at} as="exact" /> },
            {
              name: t.actor,
              value: (
                <>
                  {actor_email ?? t.actors[actor_kind]}{' '}
                  {actor_id !== null && (
                    <PageLink page="audit" search={{ actor_id }} size="sm">
                      {t.only_actor}
                    </PageLink>
                  )}
                </>
              ),
            },
            address !== null && { name: t.address, value: <CopyField value={address} label={t.address} /> },
            { name: t.code, value: <code>{action}</code> },
            object_id !== null && {
              name: t.object,
              value: (
                <>
                  <CopyField value={object_id} label={t.object} />{' '}
                  <PageLink page="audit" search={{ object_kind, object_id }} size="sm">
                    {t.only_same}
                  </PageLink>
                </>
              ),
            },
          ]}
        />
        {Object.keys(details).length > 0 && (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t.details}
            </Text>
            <CopyField value={JSON.stringify(details, null, 2)} label={t.details} block />
          </div>
        )}
      </Stack>
    </Modal>
  );
}
