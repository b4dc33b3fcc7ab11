import { Text, TextInput } from '@mantine/core';
import { IconFlag, IconTrash } from '@tabler/icons-react';
import type { Annotation } from '../../api/operations.ts';
import { IconAction } from '../../parts/actions.tsx';
import { AddButton } from '../../parts/add-button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { momentOf, wallTime } from '../../parts/zoned-time.ts';
import { useCan, useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import styles from './overview.module.css';

/** What the marks on the chart say, newest first. */
export function Annotations({ annotations }: { annotations: Annotation[] }) {
  const t = useMessages('overview');
  const can = useCan();
  const remove = useChange('panel_delete_annotation', { onDone: () => toast(t.unmarked) });
  return (
    <details className={styles['marks']}>
      <summary>{t.annotations(annotations.length)}</summary>
      <ul>
        {annotations.map(({ id, text, at }) => (
          <li key={id}>
            <Text size="sm" c="dimmed">
              <Time at={at} />
            </Text>
            <span className={styles['markText']}>{text}</span>
            {can('panel_delete_annotation') && (
              <IconAction
                label={t.unmark}
                named={t.unmark_of(text)}
                icon={IconTrash}
                about={t.unmark_about}
                isDangerous
                run={async () => await remove.mutateAsync({ params: { id } })}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function MarkMoment() {
  const t = useMessages('overview');
  const { timezone } = useInstance();
  const create = useChange('panel_create_annotation', { onDone: () => toast(t.marked) });
  return (
    <AddButton
      variant="subtle"
      color="gray"
      size="xs"
      label={t.mark}
      icon={IconFlag}
      needs="panel_create_annotation"
      dialog={(state) => (
        <FormDialog
          {...state}
          title={t.mark}
          submit={t.mark}
          initial={{ text: '', at: wallTime(new Date(), timezone) }}
          onSubmit={async ({ text, at }) =>
            await create.mutateAsync({ body: { text, at: at === '' ? null : momentOf(at, timezone) } })
          }
        >
          {(form) => (
            <>
              <Text size="sm" c="dimmed">
                {t.mark_about}
              </Text>
              <TextInput label={t.mark_text} maxLength={200} data-autofocus {...form.getInputProps('text')} />
              <TextInput type="datetime-local" label={t.mark_at} {...form.getInputProps('at')} />
            </>
          )}
        </FormDialog>
      )}
    />
  );
}
