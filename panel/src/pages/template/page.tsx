import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MailTemplateDetail } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { TemplateState } from '../templates/template-state.tsx';
import { EditTab } from './edit-tab.tsx';
import { ReadTab } from './read-tab.tsx';
import { useContactSamples } from './use-contact-samples.ts';
import { useSamples } from './sample-values.ts';
import { TemplateActions } from './template-actions.tsx';
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx';
import { useAnalysis } from './use-analysis.ts';
import { useDraft } from './use-draft.ts';
import { UseTab } from './use-tab.tsx';
import { Versions } from './versions/versions.tsx';

/** One template: written on the left, seen on the right; its versions; how to send it. */
export function Page() {
  const t = useMessages('template');
  const api = useApi();
  const can = useCan();
  const { id: text } = useParams({ strict: false });
  const id = Number(text);
  const { data: template, error } = useQuery({
    ...api.read('panel_get_template', { params: { template_id: id } }),
    // What others save meanwhile is to be known before it is overwritten.
    staleTime: 0,
    refetchInterval: 30_000,
  });
  if (error?.status === 404 || error?.status === 422) {
    return <Message title={t.missing}>{t.missing_help}</Message>;
  }
  if (template?.id !== id) {
    return (
      <main>
        <PageHeader title={t.title} back={<BackLink page="templates" />} />
        <ProblemAlert problem={error} />
        {!error && <Skeleton height={480} />}
      </main>
    );
  }
  return can('panel_update_template') ? (
    <EditorPage key={id} template={template} />
  ) : (
    <ReadingPage template={template} />
  );
}

function EditorPage({ template }: { template: MailTemplateDetail }) {
  const t = useMessages('template');
  const { slug } = useApi();
  const state = useDraft(template);
  const [typed, setSample] = useSamples(slug, template.id);
  const chosen = useContactSamples();
  const samples = useMemo(() => ({ ...typed, ...chosen.samples }), [typed, chosen.samples]);
  const analysis = useAnalysis(state.draft, samples);
  const names = [...new Set((analysis.latest?.variables ?? []).map(({ name }) => name))];
  const edited = { template, state, analysis, samples, names };
  return (
    <main>
      <PageHeader
        title={template.name}
        badge={<TemplateState template={template} />}
        back={<BackLink page="templates" />}
        actions={<TemplateActions {...edited} />}
      />
      <UrlTabs
        label={t.tabs}
        tabs={[
          {
            name: 'edit',
            label: t.edit,
            content: () => <EditTab {...edited} setSample={setSample} chosen={chosen} />,
          },
          { name: 'versions', label: t.versions, content: () => <Versions template={template} /> },
          { name: 'use', label: t.use, content: () => <UseTab {...edited} /> },
        ]}
      />
      <UnsavedGuard isDirty={state.isDirty} />
    </main>
  );
}

/** For those who may look and not change. */
function ReadingPage({ template }: { template: MailTemplateDetail }) {
  const t = useMessages('template');
  return (
    <main>
      <PageHeader
        title={template.name}
        badge={<TemplateState template={template} />}
        back={<BackLink page="templates" />}
      />
      <UrlTabs
        label={t.tabs}
        tabs={[
          { name: 'preview', label: t.preview, content: () => <ReadTab template={template} /> },
          { name: 'versions', label: t.versions, content: () => <Versions template={template} /> },
          {
            name: 'use',
            label: t.use,
            content: () => <UseTab template={template} samples={{}} names={[]} />,
          },
        ]}
      />
    </main>
  );
}
