import { SegmentedControl, Skeleton } from '@mantine/core';
import { Section } from '../../parts/detail.tsx';
import { MessageFrame } from '../../parts/message-frame.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { languages, useLanguage, type Language } from '../../api/language.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import styles from './form.module.css';
import type { Preview, PreviewPage } from './use-preview.ts';

const phone = 390;

/** The draft as people would see it. What is shown and how stands in the address. */
export function FormPreview({
  preview: { html, error },
  page,
  pages,
  hasLogo,
  language,
}: {
  preview: Preview;
  page: PreviewPage;
  pages: PreviewPage[];
  hasLogo: boolean;
  /** That the form speaks, where one is set. */
  language: Language | null | undefined;
}) {
  const t = useMessages('form');
  const ofReader = useLanguage();
  const own = language ?? ofReader;
  const [{ width, scheme, lang }, change] = useUrlState();
  const set = (name: string, first: string) => (value: string) =>
    change({ [name]: value === first ? undefined : value }, { replace: true });
  const isMail = page === 'confirmation_mail' || page === 'auto_reply' || page === 'update_mail';
  return (
    <div className={styles['preview']}>
      <Section title={t.preview}>
        <div className={styles['tools']}>
          <SegmentedControl
            size="xs"
            aria-label={t.preview_of}
            value={page}
            onChange={set('preview', pages[0] ?? 'form')}
            data={pages.map((value) => ({ value, label: t.preview_pages[value] }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t.preview_width}
            value={width === 'phone' ? 'phone' : 'desktop'}
            onChange={set('width', 'desktop')}
            data={(['desktop', 'phone'] as const).map((value) => ({ value, label: t.preview_widths[value] }))}
          />
          {!isMail && (
            <SegmentedControl
              size="xs"
              aria-label={t.preview_scheme}
              value={scheme === 'dark' ? 'dark' : 'light'}
              onChange={set('scheme', 'light')}
              data={(['light', 'dark'] as const).map((value) => ({ value, label: t.preview_schemes[value] }))}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t.preview_lang}
            value={lang === 'en' || lang === 'es' ? lang : own}
            onChange={set('lang', own)}
            data={languages.map((value) => ({ value, label: value.toUpperCase() }))}
          />
        </div>
        <ProblemAlert problem={error} />
        {html === undefined ? (
          !error && <Skeleton height={400} />
        ) : (
          <MessageFrame
            html={html}
            title={t.preview}
            width={width === 'phone' ? phone : undefined}
            withImages={hasLogo && !isMail}
            scheme={scheme === 'dark' && !isMail ? 'dark' : 'light'}
          />
        )}
      </Section>
    </div>
  );
}
