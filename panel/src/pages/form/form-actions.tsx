import { Button } from '@mantine/core';
import { IconExternalLink, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Form } from '../../api/operations.ts';
import { ActionMenu } from '../../parts/actions.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { addressOf } from './embed.tsx';

/** What is done to a form at once, apart from its draft. */
export function FormActions({ form }: { form: Form }) {
  const t = useMessages('form');
  const can = useCan();
  const { slug } = useApi();
  const navigate = useNavigate();
  const params = { id: form.id };
  const open = useChange('panel_update_form', { onDone: () => toast(t.opened) });
  const shut = useChange('panel_update_form', { onDone: () => toast(t.closed) });
  const remove = useChange('panel_delete_form', { onDone: () => toast(t.removed) });
  return (
    <>
      {form.is_active && (
        <Button
          component="a"
          href={addressOf(form)}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {t.open_page}
        </Button>
      )}
      {can('panel_update_form') && (
        <ActionMenu
          actions={[
            form.is_active
              ? {
                  label: t.close_form,
                  icon: IconLock,
                  about: t.close_about,
                  run: async () => await shut.mutateAsync({ params, body: { is_active: false } }),
                }
              : {
                  label: t.open_form,
                  icon: IconLockOpen,
                  run: () => open.mutate({ params, body: { is_active: true } }),
                },
            can('panel_delete_form') && {
              label: t.remove,
              icon: IconTrash,
              about: <RemoveAbout id={form.id} />,
              name: form.name,
              isDangerous: true,
              run: async () => {
                await navigate({ ...linkTo(slug, { page: 'forms' }), ignoreBlocker: true });
                await remove.mutateAsync({ params });
              },
            },
          ]}
        />
      )}
    </>
  );
}

/** How many submissions go with a form. */
function RemoveAbout({ id }: { id: number }) {
  const t = useMessages('form');
  const api = useApi();
  const query = { page_size: 1 };
  const { data } = useQuery(api.read('panel_list_form_submissions', { params: { id }, query }));
  return t.remove_about(data ? data.pagination.total_items : 0);
}
