import { IconArrowLeft } from '@tabler/icons-react';
import { useMessages } from '../messages/use-messages.ts';
import { PageLink, type Place } from './app/page-link.tsx';
import styles from './parts.module.css';

export function BackLink(place: Place) {
  const titles = useMessages('pages');
  return (
    <PageLink {...place} size="sm" c="dimmed" className={styles['back']} data-noprint>
      <IconArrowLeft size={14} aria-hidden /> {titles[place.page]}
    </PageLink>
  );
}
