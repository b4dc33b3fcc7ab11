import { IconWriting } from '@tabler/icons-react';
import { AddButton } from '../../parts/add-button.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { Chain } from './chain.tsx';
import { ChainBadge } from './chain-badge.tsx';
import { Events, ExportEvents } from './events.tsx';
import { FindPerson } from './find-person.tsx';
import { AddPurpose, Purposes } from './purposes.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { AddTerm, Terms } from './terms.tsx';

/** What people agreed to, and the proof of it. */
export function Page() {
  const t = useMessages('consent');
  const can = useCan();
  const [{ list }] = useUrlState();
  return (
    <main>
      <PageHeader
        title={t.title}
        badge={<ChainBadge />}
        actions={
          <>
            {can('panel_get_consent_evidence') && <FindPerson />}
            <AddButton
              variant="default"
              label={t.record}
              icon={IconWriting}
              needs="panel_record_consent_event"
              dialog={(state) => <RecordDialog {...state} />}
            />
            {list === undefined && <AddTerm />}
            {list === 'events' && <ExportEvents />}
            {list === 'purposes' && <AddPurpose />}
          </>
        }
      >
        {t.about}
      </PageHeader>
      <UrlTabs
        label={t.title}
        name="list"
        tabs={[
          { name: 'terms', label: t.terms, content: () => <Terms /> },
          { name: 'events', label: t.events, content: () => <Events /> },
          { name: 'purposes', label: t.purposes, content: () => <Purposes /> },
          { name: 'chain', label: t.chain, content: () => <Chain /> },
        ]}
      />
    </main>
  );
}
