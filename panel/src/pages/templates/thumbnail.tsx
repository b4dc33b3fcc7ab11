import { IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { MailTemplate } from '../../api/operations.ts';
import { MessageThumbnail } from '../../parts/scaled-message.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import styles from './templates.module.css';

/** How a template looks for a sample recipient. */
export function Thumbnail({ template: { id, name } }: { template: MailTemplate }) {
  const t = useMessages('templates');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_preview_saved_template', { params: { template_id: id } }),
    staleTime: 60_000,
  });
  if (data?.html) return <MessageThumbnail html={data.html} title={t.picture(name)} />;
  return (
    <div className={styles['blank']} aria-hidden>
      {data && <IconTemplate size={22} stroke={1.4} />}
    </div>
  );
}
