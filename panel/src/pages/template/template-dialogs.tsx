import { Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import type { Edited } from './edited.ts';
import { Usage } from './usage.tsx';

export type Dialog = 'test' | 'publish' | 'unpublish' | 'rename' | 'remove';

/** What is asked before a template changes for those who send it. */
export function TemplateDialogs({
  template,
  state,
  dialog,
  onClose,
  onSave,
}: Edited & { dialog: Dialog | undefined; onClose: () => void; onSave: () => Promise<unknown> }) {
  const t = useMessages('template');
  const { slug } = useApi();
  const navigate = useNavigate();
  const params = { template_id: template.id };
  const publish = useChange('panel_publish_template', { onDone: () => toast(t.published) });
  const unpublish = useChange('panel_unpublish_template', { onDone: () => toast(t.unpublished) });
  const rename = useChange('panel_update_template', { onDone: () => toast(t.renamed) });
  const remove = useChange('panel_delete_template', {
    onDone: () => {
      toast(t.removed);
      // Nothing is left that could be lost by leaving.
      state.discard();
      void navigate({ ...linkTo(slug, { page: 'templates' }), ignoreBlocker: true });
    },
  });
  return (
    <>
      <DangerDialog
        title={t.publish}
        opened={dialog === 'publish'}
        onClose={onClose}
        action={t.publish}
        isDangerous={false}
        onConfirm={async () => {
          if (state.isDirty) await onSave();
          await publish.mutateAsync({ params });
        }}
      >
        {t.publish_about(String(template.id))} {state.isDirty && t.save_first}
      </DangerDialog>
      <DangerDialog
        title={t.unpublish}
        opened={dialog === 'unpublish'}
        onClose={onClose}
        action={t.unpublish}
        onConfirm={async () => await unpublish.mutateAsync({ params })}
      >
        <Text size="sm">{t.unpublish_about}</Text>
        <Usage id={template.id} />
      </DangerDialog>
      <DangerDialog
        title={t.remove}
        opened={dialog === 'remove'}
        onClose={onClose}
        action={t.remove}
        name={template.name}
        onConfirm={async () => await remove.mutateAsync({ params })}
      >
        <Text size="sm">{t.remove_about}</Text>
        <Usage id={template.id} />
      </DangerDialog>
      <FormDialog
        title={t.rename}
        opened={dialog === 'rename'}
        onClose={onClose}
        initial={{ name: template.name, alias: template.alias ?? '' }}
        onSubmit={async ({ name, alias }) =>
          await rename.mutateAsync({ params, body: { name, alias: alias || null } })
        }
      >
        {(form) => (
          <>
            <TextInput label={t.name} data-autofocus {...form.getInputProps('name')} />
            <TextInput
              label={t.alias}
              description={t.alias_help}
              placeholder="order.paid"
              {...form.getInputProps('alias')}
            />
          </>
        )}
      </FormDialog>
    </>
  );
}
