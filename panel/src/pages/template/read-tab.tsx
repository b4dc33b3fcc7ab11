import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MailTemplateDetail } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { HtmlPreview } from './preview.tsx';
import styles from './template.module.css';

/** The saved mail beside what it is written in. */
export function ReadTab({ template }: { template: MailTemplateDetail }) {
  const t = useMessages('template');
  const api = useApi();
  const params = { template_id: template.id };
  const { data } = useQuery(api.read('panel_preview_saved_template', { params }));
  return (
    <div className={styles['halves']}>
      <Section title={t.source}>
        <div className={styles['envelope']}>
          <strong>{template.subject ?? t.no_subject}</strong>
          <span>{t.editors[template.editor]}</span>
        </div>
        {template.source !== null && <CopyField block value={template.source} label={t.source} />}
      </Section>
      <Section title={t.preview}>
        <div className={styles['envelope']}>
          <strong>{data?.subject || t.no_subject}</strong>
        </div>
        {data ? <HtmlPreview html={data.html} /> : <Skeleton height={400} />}
      </Section>
    </div>
  );
}
