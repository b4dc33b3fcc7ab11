import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Message } from '../../parts/message.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useMe } from '../../parts/app/me.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { Checks } from './checks.tsx';
import { Instances } from './instances.tsx';
import { Jobs } from './jobs.tsx';
import { LinkHosts } from './link-hosts.tsx';
import { Nodes } from './nodes.tsx';
import { Revocations } from './revocations.tsx';
import { Sources } from './sources.tsx';

/** For operators of the installation, also without being a member of an instance. */
export function Page() {
  const t = useMessages('operator');
  const [url, change] = useUrlState();
  const me = useMe();
  if (me && !me.is_operator) {
    return <Message title={t.refused}>{t.refused_about}</Message>;
  }
  return (
    <main>
      <PageHeader
        title={t.title}
        actions={
          me &&
          (url['show'] ?? 'instances') === 'instances' && (
            <Button
              leftSection={<IconPlus size={16} />}
              onClick={() => change({ show: undefined, open: 'new' })}
            >
              {t.make}
            </Button>
          )
        }
      >
        {t.about}
      </PageHeader>
      {me ? (
        <UrlTabs
          name="show"
          label={t.title}
          tabs={[
            { name: 'instances', label: t.instances, content: () => <Instances /> },
            { name: 'nodes', label: t.nodes, content: () => <Nodes /> },
            { name: 'jobs', label: t.jobs, content: () => <Jobs /> },
            { name: 'sources', label: t.sources, content: () => <Sources /> },
            { name: 'domains', label: t.domains, content: () => <Revocations /> },
            { name: 'links', label: t.link_hosts, content: () => <LinkHosts /> },
            { name: 'checks', label: t.checks, content: () => <Checks /> },
          ]}
        />
      ) : (
        <Skeleton height={240} />
      )}
    </main>
  );
}
