import { ActionIcon, Menu, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../messages/use-messages.ts';
import type { ChangeUrl, UrlState } from './app/url-state.ts';
import { useApi, useChange } from './app/use-api.ts';
import { FormDialog } from './form-dialog.tsx';
import { isOfView, keptOf } from './kept-filters.ts';
import { toast } from './toast.ts';

/** Filters of a list that the person keeps under a name. */
export function SavedViews({ list, state, change }: { list: string; state: UrlState; change: ChangeUrl }) {
  const t = useMessages('parts');
  const api = useApi();
  const [opened, { open, close }] = useDisclosure();
  const views = useQuery({ ...api.read('panel_list_saved_views', { query: { list } }), staleTime: 60_000 })
    .data?.data;
  const save = useChange('panel_save_view', { onDone: ({ name }) => toast(t.view_saved(name)) });
  const remove = useChange('panel_delete_saved_view', { onDone: () => toast(t.view_deleted) });
  const kept = keptOf(state);
  const show = (search: UrlState): void =>
    change({ ...Object.fromEntries(Object.keys(state).map((name) => [name, undefined])), ...search });
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.views}>
            <IconBookmark size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t.views}</Menu.Label>
          {views?.length === 0 && (
            <Text size="sm" c="dimmed" px="sm" py={4}>
              {t.no_views}
            </Text>
          )}
          {views?.map(({ id, name, search }) => (
            <Menu.Item
              key={id}
              leftSection={isOfView(state, search) ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => show(search)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={14} />}
            disabled={Object.keys(kept).length === 0}
            onClick={open}
          >
            {t.save_view}
          </Menu.Item>
          {views
            ?.filter(({ search }) => isOfView(state, search))
            .map(({ id, name }) => (
              <Menu.Item
                key={id}
                color="red"
                leftSection={<IconTrash size={14} />}
                onClick={() => remove.mutate({ params: { id } })}
              >
                {t.delete_view(name)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        title={t.save_view}
        opened={opened}
        onClose={close}
        initial={{ name: '' }}
        onSubmit={async ({ name }) => await save.mutateAsync({ body: { list, name, search: kept } })}
      >
        {(form) => (
          <TextInput
            label={t.view_name}
            description={t.view_about}
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
        )}
      </FormDialog>
    </>
  );
}
