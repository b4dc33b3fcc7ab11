import { Link } from '@tanstack/react-router';
import { allows } from '../api/roles.ts';
import { places, type PageName } from '../parts/app/places.ts';
import { pages, type PageEntry, type Section } from '../pages/pages.ts';
import { useInstance } from '../parts/app/instance.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { linkTo } from '../parts/app/page-link.tsx';
import styles from './frame.module.css';

const sections: (Section | undefined)[] = [
  undefined,
  'mail',
  'receiving',
  'sending',
  'developers',
  'administration',
];

/** The pages that the person may see, by section. */
export function usePages(): { name: PageName; entry: PageEntry }[] {
  const { role } = useInstance();
  return (Object.entries(pages) as [PageName, PageEntry][])
    .map(([name, entry]) => ({ name, entry }))
    .filter(({ entry }) => entry.icon !== undefined && allows(role, entry.needs));
}

export function Navigation({ onFollow }: { onFollow: () => void }) {
  const t = useMessages('shell');
  const titles = useMessages('pages');
  const { slug } = useInstance();
  const shown = usePages();
  return sections.map((section) => {
    const items = shown.filter(({ entry }) => entry.section === section);
    if (items.length === 0) return null;
    return (
      <div key={section ?? 'first'}>
        {section && <p className={styles['section']}>{t.sections[section]}</p>}
        <ul className={styles['list']}>
          {items.map(({ name, entry: { icon: Icon } }) => (
            <li key={name}>
              <Link
                {...linkTo(slug, { page: name })}
                className={styles['link']}
                activeOptions={{ exact: places[name] === '/', includeSearch: false }}
                onClick={onFollow}
                preload="intent"
              >
                {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
                {titles[name]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
