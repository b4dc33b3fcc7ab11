import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useWords } from '../../shell/languages.ts';
import { Complaints } from './complaints.tsx';
import { Restrictions } from './restrictions.tsx';
import { RestrictionActions } from './restriction-actions.tsx';
import { Unsubscribes } from './unsubscribes.tsx';
import { words } from './words.ts';

/** Who is not written to, and why. */
export function Page() {
  const t = useWords(words);
  return (
    <main>
      <PageHeader title={t.title} actions={<RestrictionActions />}>
        {t.about}
      </PageHeader>
      <UrlTabs
        label={t.title}
        name="list"
        tabs={[
          { name: 'restrictions', label: t.restrictions, content: () => <Restrictions /> },
          { name: 'unsubscribes', label: t.unsubscribes, content: () => <Unsubscribes /> },
          { name: 'complaints', label: t.complaints, content: () => <Complaints /> },
        ]}
      />
    </main>
  );
}
