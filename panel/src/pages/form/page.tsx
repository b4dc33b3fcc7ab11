import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../parts/back-link.tsx';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { FormEditor } from './form-editor.tsx';
import { FormView } from './form-view.tsx';

/** One form: built, designed, shared and read. `new` is one that is not saved yet. */
export function Page() {
  const t = useMessages('form');
  const api = useApi();
  const can = useCan();
  const { id } = useParams({ strict: false });
  const isNew = id === 'new' && can('panel_create_form');
  const catalogue = useCatalogue();
  const { data, error } = useQuery({
    ...api.read('panel_get_form', { params: { id: Number(id) } }),
    enabled: !isNew,
    // What others save meanwhile is to be known before it is overwritten.
    staleTime: 0,
    refetchInterval: 30_000,
  });
  const form = data?.id === Number(id) ? data : undefined;
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  if (!catalogue || (!isNew && !form)) {
    return (
      <main>
        <PageHeader title={form?.name ?? (isNew ? t.new_title : t.title)} back={<BackLink page="forms" />} />
        {error ? <ProblemAlert problem={error} /> : <Skeleton height={480} />}
      </main>
    );
  }
  // One editor for each form: the draft of one is nothing to another.
  if (isNew) return <FormEditor key="new" form={undefined} catalogue={catalogue} />;
  if (form && can('panel_update_form')) return <FormEditor key={form.id} form={form} catalogue={catalogue} />;
  return form ? <FormView form={form} catalogue={catalogue} /> : null;
}
