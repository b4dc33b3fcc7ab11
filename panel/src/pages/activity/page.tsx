import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { ActivityExport } from './activity-export.tsx';
import { Bounces } from './bounces.tsx';
import { Engagements } from './engagements.tsx';

/** Opens, clicks and bounces: one by one, by mail or by message. */
export function Page() {
  const t = useMessages('activity');
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
          { name: 'opens', label: t.opens.title, content: () => <Engagements key="opens" kind="opens" /> },
          {
            name: 'clicks',
            label: t.clicks.title,
            content: () => <Engagements key="clicks" kind="clicks" />,
          },
          { name: 'bounces', label: t.bounces, content: () => <Bounces /> },
        ]}
      />
    </main>
  );
}
