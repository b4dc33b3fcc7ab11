import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { Complaints } from './complaints.tsx';
import { Restrictions } from './restrictions.tsx';
import { RestrictionActions } from './restriction-actions.tsx';
import { SuppressionsExport } from './suppressions-export.tsx';
import { Unsubscribes } from './unsubscribes.tsx';

/** Who is not written to, and why. */
export function Page() {
  const t = useMessages('suppressions');
  return (
    <main>
      <PageHeader
        title={t.title}
        actions={
          <>
            <SuppressionsExport />
            <RestrictionActions />
          </>
        }
      >
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
