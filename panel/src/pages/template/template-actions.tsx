import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCopy, IconDots, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import type { Edited } from './edited.ts';
import { SaveProblem } from './save-problem.tsx';
import { TemplateDialogs, type Dialog } from './template-dialogs.tsx';
import { TestDialog } from './test-send/test-dialog.tsx';
import { contentOf, draftOf } from './use-draft.ts';

/** Save, test, publish, and what is rarer in a menu. */
export function TemplateActions(edited: Edited) {
  const t = useMessages('template');
  const { slug } = useApi();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
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
        <Button variant="default" onClick={() => setDialog('unpublish')}>
          {t.unpublish}
        </Button>
      ) : (
        <Button variant={state.isDirty ? 'default' : 'filled'} onClick={() => setDialog('publish')}>
          {t.publish}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.more}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('rename')}>
            {t.rename}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => duplicate.mutate({ body: { ...body, name: copyName(t.copy_of(template.name)) } })}
          >
            {t.duplicate}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('remove')}>
            {t.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveProblem
        problem={save.error ?? duplicate.error}
        onClose={() => [save, duplicate].map((each) => each.reset())}
      />
      <TestDialog {...edited} opened={dialog === 'test'} onClose={close} />
      <TemplateDialogs {...edited} dialog={dialog} onClose={close} onSave={saveNow} />
    </>
  );
}

const max_name_length = 255;
const copyName = (name: string): string => name.slice(0, max_name_length);
