import { IconArrowLeft } from '@tabler/icons-react';
import { pages } from '../pages/pages.ts';
import { useLanguage } from '../shell/languages.ts';
import { PageLink, type Place } from '../shell/page-link.tsx';
import styles from './parts.module.css';

export function BackLink(place: Place) {
  const language = useLanguage();
  return (
    <PageLink {...place} size="sm" c="dimmed" className={styles['back']} data-noprint>
      <IconArrowLeft size={14} aria-hidden /> {pages[place.page].title[language]}
    </PageLink>
  );
}
