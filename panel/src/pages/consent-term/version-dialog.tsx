import { Textarea, TextInput } from '@mantine/core';
import type { ConsentTerm, ConsentTermVersion } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useChange } from '../../parts/app/use-api.ts';

/** Writes a draft, beginning with the newest text, or changes the one given. */
export function VersionDialog({
  term,
  version,
  opened,
  onClose,
}: {
  term: ConsentTerm;
  version?: ConsentTermVersion;
  opened: boolean;
  onClose: () => void;
}) {
  const t = useMessages('consent_term');
  const [, change] = useUrlState();
  const newest = term.versions.at(-1);
  const show = ({ id }: ConsentTermVersion): void => {
    toast(t.draft_saved);
    change({ version: String(id), compare: undefined });
  };
  const add = useChange('panel_add_consent_term_version', { onDone: show });
  const update = useChange('panel_update_consent_term_version', { onDone: show });
  return (
    <FormDialog
      title={version ? t.edit_version : t.add_version}
      opened={opened}
      onClose={onClose}
      size="xl"
      initial={{
        version: version?.version ?? labelAfter(newest?.version),
        body: version?.body ?? newest?.body ?? '',
        document_url: version?.document_url ?? '',
      }}
      submit={t.create_draft}
      onSubmit={async ({ document_url, ...text }) => {
        const body = { ...text, document_url: document_url.trim() || null };
        const params = { id: term.id };
        if (version) await update.mutateAsync({ params: { ...params, version_id: version.id }, body });
        else await add.mutateAsync({ params, body });
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.label}
            description={t.label_help}
            maw={260}
            {...form.getInputProps('version')}
          />
          <Textarea
            label={t.text}
            description={t.text_help}
            rows={12}
            data-autofocus
            {...form.getInputProps('body')}
          />
          <TextInput
            label={t.document_url}
            description={t.document_help}
            type="url"
            {...form.getInputProps('document_url')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** 1.0, then 1.1; other labels are typed. */
function labelAfter(label: string | undefined): string {
  if (label === undefined) return '1.0';
  const [, head, last] = /^(.*\.)(\d+)$/.exec(label) ?? [];
  return head === undefined ? '' : `${head}${Number(last) + 1}`;
}
