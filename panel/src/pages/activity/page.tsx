import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { ActivityExport } from './activity-export.tsx';
import { Bounces } from './bounces.tsx';
import { Clicks } from './clicks.tsx';
import { Opens } from './opens.tsx';
import { words } from './words.ts';

/** Opens, clicks and bounces: one by one, by mail or by message. */
export function Page() {
  const t = useWords(words);
  const [{ list }] = useUrlState();
  return (
    <main>
      <PageHeader title={t.title} actions={<ActivityExport list={list} />}>
        {t.about}
      </PageHeader>
      <UrlTabs
        label={t.title}
        name="list"
        tabs={[
          { name: 'opens', label: t.opens, content: () => <Opens /> },
          { name: 'clicks', label: t.clicks, content: () => <Clicks /> },
          { name: 'bounces', label: t.bounces, content: () => <Bounces /> },
        ]}
      />
    </main>
  );
}
