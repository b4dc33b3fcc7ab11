import { Button, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCopy, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ActionButton, ActionMenu } from '../../parts/actions.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import type { Edited } from './edited.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { SaveProblem } from './save-problem.tsx';
import { TestDialog } from './test-send/test-dialog.tsx';
import { Usage } from './usage.tsx';
import { contentOf, draftOf } from './use-draft.ts';

/** Save, test, publish, and what is rarer in a menu. */
export function TemplateActions(edited: Edited) {
  const t = useMessages('template');
  const { slug } = useApi();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'test' | 'rename'>();
  const { template, state } = edited;
  const params = { template_id: template.id };
  /** What is typed while it is saved stays. */
  const sent = useRef(state.draft);
  const save = useChange('panel_update_template', {
    onDone: (saved) => {
      state.adopt(draftOf(saved), sent.current);
      toast(t.saved);
    },
  });
  const duplicate = useChange('panel_create_template', {
    onDone: ({ id }) => {
      toast(t.duplicated);
      void navigate(linkTo(slug, { page: 'template', id }));
    },
  });
  const publish = useChange('panel_publish_template', { onDone: () => toast(t.published) });
  const unpublish = useChange('panel_unpublish_template', { onDone: () => toast(t.unpublished) });
  const remove = useChange('panel_delete_template', {
    onDone: () => {
      toast(t.removed);
      // Nothing is left that could be lost by leaving.
      state.discard();
      void navigate({ ...linkTo(slug, { page: 'templates' }), ignoreBlocker: true });
    },
  });
  const body = contentOf(state.draft);
  const saveNow = async (): Promise<unknown> => {
    sent.current = state.draft;
    return await save.mutateAsync({ params, body });
  };
  const onSave = (): void => {
    // What it throws is shown below.
    if (state.isDirty && !save.isPending) void saveNow().catch(() => undefined);
  };
  // In the editor too: it is text that is edited, and saving is of the page.
  useHotkeys([['mod + S', onSave]], [], true);
  const close = (): void => setDialog(undefined);
  return (
    <>
      {state.isDirty && <StatusBadge tone="warn">{t.unsaved}</StatusBadge>}
      <Button
        variant={state.isDirty ? 'filled' : 'default'}
        disabled={!state.isDirty}
        loading={save.isPending}
        onClick={onSave}
      >
        {t.save}
      </Button>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setDialog('test')}>
        {t.test}
      </Button>
      {template.is_published ? (
        <ActionButton
          action={{
            label: t.unpublish,
            about: (
              <>
                <Text size="sm">{t.unpublish_about}</Text>
                <Usage id={template.id} />
              </>
            ),
            isDangerous: true,
            run: async () => await unpublish.mutateAsync({ params }),
          }}
        />
      ) : (
        <ActionButton
          variant={state.isDirty ? 'default' : 'filled'}
          action={{
            label: t.publish,
            about: `${t.publish_about(String(template.id))} ${state.isDirty ? t.save_first : ''}`,
            run: async () => {
              if (state.isDirty) await saveNow();
              await publish.mutateAsync({ params });
            },
          }}
        />
      )}
      <ActionMenu
        actions={[
          { label: t.rename, icon: IconPencil, run: () => setDialog('rename') },
          {
            label: t.duplicate,
            icon: IconCopy,
            run: () => duplicate.mutate({ body: { ...body, name: copyName(t.copy_of(template.name)) } }),
          },
          {
            label: t.remove,
            icon: IconTrash,
            about: (
              <>
                <Text size="sm">{t.remove_about}</Text>
                <Usage id={template.id} />
              </>
            ),
            name: template.name,
            isDangerous: true,
            run: async () => await remove.mutateAsync({ params }),
          },
        ]}
      />
      <SaveProblem
        problem={save.error ?? duplicate.error}
        onClose={() => [save, duplicate].map((each) => each.reset())}
      />
      <TestDialog {...edited} opened={dialog === 'test'} onClose={close} />
      <RenameDialog {...edited} opened={dialog === 'rename'} onClose={close} />
    </>
  );
}

const maxNameLength = 255;
const copyName = (name: string): string => name.slice(0, maxNameLength);
