import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconDeviceFloppy } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { Form } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { UrlTabs, type Tab } from '../../parts/tabs.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { FormState } from '../forms/form-state.tsx';
import { Build } from './build.tsx';
import type { Catalogue } from './catalogue.ts';
import { Design } from './design.tsx';
import { bodyOf, draftOf, newItem, refusalOf, type Draft } from './draft.ts';
import { useDraft, type Editing } from './editing.ts';
import { Embed } from './embed.tsx';
import { FormActions } from './form-actions.tsx';
import { FormPreview } from './form-preview.tsx';
import styles from './form.module.css';
import { Mails } from './mails.tsx';
import { Submissions } from './submissions.tsx';
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx';
import { usePreview, type PreviewPage } from './use-preview.ts';

/** Every form that people are reached by asks for an address. */
function firstDraft({ fields }: Catalogue): Draft {
  const email = fields.find(({ field_key, is_active }) => field_key === 'EMAIL' && is_active);
  return {
    name: '',
    kind: 'advanced',
    type: 'registration',
    is_default: false,
    requires_confirmation: false,
    auto_reply_sender_id: null,
    settings: {},
    items: email ? [newItem({ kind: 'field', field_id: email.id, is_required: true })] : [],
  };
}

/** A form in the making, or one that is changed: a draft that is saved as a whole. */
export function FormEditor({ form, catalogue }: { form: Form | undefined; catalogue: Catalogue }) {
  const t = useMessages('form');
  const [{ tab, preview: asked }] = useUrlState();
  const drafting = useDraft(form, firstDraft(catalogue));
  const { draft, change, isDirty, isOutdated, problem, refused, discard } = drafting;
  const pages = pagesOf(draft, tab);
  const page = pages.find((each) => each === asked) ?? pages[0] ?? 'form';
  const preview = usePreview(form?.id, draft, page);
  const editing: Editing = { form, draft, change, catalogue, problems: preview.problems, refused };
  const beside = (content: ReactNode) => (
    <div className={styles['editor']}>
      <div className={styles['column']}>{content}</div>
      <FormPreview
        preview={preview}
        page={page}
        pages={pages}
        hasLogo={Boolean(draft.settings.design?.logo_url)}
        language={draft.settings.language}
      />
    </div>
  );
  const tabs: Tab[] = [
    { name: 'build', label: t.tabs.build, content: () => beside(<Build editing={editing} />) },
    { name: 'design', label: t.tabs.design, content: () => beside(<Design editing={editing} />) },
    { name: 'mails', label: t.tabs.mails, content: () => beside(<Mails editing={editing} />) },
    ...(form ? savedTabs(form, catalogue, t.tabs) : []),
  ];
  return (
    <main>
      <PageHeader
        title={form ? form.name : t.new_title}
        badge={form && <FormState form={form} />}
        back={<BackLink page="forms" />}
        actions={
          <>
            <SaveButtons form={form} drafting={drafting} />
            {form && <FormActions form={form} />}
          </>
        }
      />
      {form && isOutdated && (
        <div className={styles['column']}>
          <Notice icon={<IconAlertTriangle size={18} />} title={t.outdated}>
            {t.outdated_about}
            <div>
              <Button variant="default" size="xs" mt="xs" onClick={discard}>
                {t.take_theirs}
              </Button>
            </div>
          </Notice>
          <span />
        </div>
      )}
      {problem !== undefined && (
        <div className={styles['column']}>
          <ProblemAlert problem={problem} />
          <span />
        </div>
      )}
      <UrlTabs tabs={tabs} label={t.tabs.label} />
      <UnsavedGuard isDirty={isDirty} />
    </main>
  );
}

export const savedTabs = (
  form: Form,
  catalogue: Catalogue,
  names: { embed: string; submissions: string },
): Tab[] => [
  { name: 'embed', label: names.embed, content: () => <Embed form={form} /> },
  {
    name: 'submissions',
    label: names.submissions,
    content: () => <Submissions form={form} catalogue={catalogue} />,
  },
];

/** What there is to preview: beside the mails, the mails. */
function pagesOf({ type, requires_confirmation, settings }: Draft, tab: string | undefined): PreviewPage[] {
  const isUpdate = type === 'update';
  const after = isUpdate ? 'updated' : requires_confirmation ? 'check_mail' : 'sent';
  if (tab !== 'mails') return isUpdate ? ['ask_address', 'form', after] : ['form', after];
  const hasReply = settings.auto_reply && !settings.auto_reply.template_id;
  const mails: PreviewPage[] = [
    ...(isUpdate ? (['update_mail'] as const) : []),
    ...(requires_confirmation && !isUpdate ? (['confirmation_mail'] as const) : []),
    ...(hasReply ? (['auto_reply'] as const) : []),
  ];
  return [...mails, isUpdate ? 'link_sent' : after];
}

function SaveButtons({
  form,
  drafting: { draft, isDirty, adopt, discard, setProblem },
}: {
  form: Form | undefined;
  drafting: ReturnType<typeof useDraft>;
}) {
  const t = useMessages('form');
  const api = useApi();
  const navigate = useNavigate();
  const create = useChange('panel_create_form', { onDone: () => toast(t.created) });
  /** What is changed while it is saved stays. */
  const sent = useRef(draft);
  const update = useChange('panel_update_form', {
    onDone: (saved) => {
      adopt(draftOf(saved), sent.current);
      toast(t.saved);
    },
  });
  const save = async (): Promise<void> => {
    const refusal = refusalOf(draft, t.name_missing);
    if (refusal) {
      setProblem(refusal);
      return;
    }
    const body = bodyOf(draft);
    sent.current = draft;
    try {
      if (form) {
        const { kind: _kind, ...changes } = body;
        await update.mutateAsync({ params: { id: form.id }, body: changes });
        return;
      }
      const { id } = await create.mutateAsync({ body });
      await navigate({ ...linkTo(api.slug, { page: 'form', id }), replace: true, ignoreBlocker: true });
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <Group gap="xs">
      {form && isDirty && (
        <>
          <Text span className={styles['unsaved']}>
            {t.unsaved}
          </Text>
          <Button variant="subtle" color="gray" onClick={discard}>
            {t.discard}
          </Button>
        </>
      )}
      <Button
        leftSection={<IconDeviceFloppy size={16} />}
        loading={create.isPending || update.isPending}
        disabled={form !== undefined && !isDirty}
        onClick={() => void save()}
      >
        {form ? t.save : t.create}
      </Button>
    </Group>
  );
}
