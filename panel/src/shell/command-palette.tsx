import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconHistory,
  IconMail,
  IconSearch,
  IconTemplate,
  IconUserCheck,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { readOf } from '../api/read.ts';
import { useCan, useInstance } from '../parts/app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { usePages } from './navigation.tsx';
import { usePaletteActions } from './palette-actions.ts';
import { linkTo, type Place } from '../parts/app/page-link.tsx';
import { shownRecents } from '../parts/app/recents.ts';

const [store, palette] = createSpotlight();

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const address = /^[^@\s]+@[^@\s]+$/;

/** What was open, pages, actions, a mail by its id, what is known of an address, domains, templates. `asked_at`: when it was last asked for. */
export function CommandPalette({ asked_at }: { asked_at: number }) {
  const t = useMessages('shell');
  const titles = useMessages('pages');
  const { slug } = useInstance();
  const navigate = useNavigate();
  const [asked, setAsked] = useState('');
  useEffect(() => palette.open(), [asked_at]);
  const can = useCan();
  const pages = usePages();
  const text = asked.trim();
  const domains = useQuery({
    ...readOf('panel_list_domains', { query: { page_size: 100 } }, slug),
    enabled: text !== '',
    staleTime: 30_000,
  });
  const templates = useQuery({
    ...readOf('panel_list_templates', { query: { name: text, page_size: 10 } }, slug),
    enabled: text !== '',
    staleTime: 30_000,
  });
  const go = (place: Place) => () => void navigate(linkTo(slug, place));
  const current = useRouterState({ select: ({ location }) => location.pathname });
  const recents = text === '' ? shownRecents(slug, current) : [];
  const groups: SpotlightActionGroupData[] = [
    {
      group: t.recent,
      actions: recents.map(({ path, title }) => ({
        id: path,
        label: title,
        leftSection: <IconHistory size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: path }),
      })),
    },
    {
      group: t.pages,
      actions: pages.map(({ name, entry: { icon: Icon } }) => ({
        id: name,
        label: titles[name],
        leftSection: Icon && <Icon size={18} stroke={1.6} />,
        onClick: go({ page: name }),
      })),
    },
    {
      group: t.actions,
      actions: usePaletteActions().map(({ id, label, icon: Icon, run }) => ({
        id,
        label,
        leftSection: <Icon size={18} stroke={1.6} />,
        onClick: run,
      })),
    },
  ];
  if (text !== '') {
    groups.push({
      group: t.domains,
      actions: (domains.data?.data ?? []).map(({ id, domain }) => ({
        id: `domain-${id}`,
        label: domain,
        leftSection: <IconWorld size={18} stroke={1.6} />,
        onClick: go({ page: 'domain', id }),
      })),
    });
    groups.push({
      group: titles.templates,
      actions: (templates.data?.data ?? []).map(({ id, name }) => ({
        id: `template-${id}`,
        label: name,
        leftSection: <IconTemplate size={18} stroke={1.6} />,
        onClick: go({ page: 'template', id }),
      })),
    });
  }
  if (uuid.test(text)) {
    groups.unshift({
      group: t.found,
      actions: [
        {
          id: 'mail',
          label: t.open_mail(text),
          leftSection: <IconMail size={18} stroke={1.6} />,
          onClick: go({ page: 'mail', id: text }),
        },
      ],
    });
  }
  if (address.test(text)) {
    groups.unshift({
      group: t.found,
      actions: [
        {
          id: 'mails-to',
          label: t.open_mails_to(text),
          leftSection: <IconMail size={18} stroke={1.6} />,
          onClick: go({ page: 'mails', search: { recipient: text } }),
        },
        ...(can('panel_get_consent_evidence')
          ? [
              {
                id: 'evidence',
                label: t.open_evidence(text),
                leftSection: <IconUserCheck size={18} stroke={1.6} />,
                onClick: go({ page: 'consent_evidence', search: { contact: text } }),
              },
            ]
          : []),
      ],
    });
  }
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': t.find } }}
      actions={groups}
      query={asked}
      onQueryChange={setAsked}
      shortcut={null}
      nothingFound={t.found_nothing}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t.find_hint,
        'aria-label': t.find,
      }}
    />
  );
}
