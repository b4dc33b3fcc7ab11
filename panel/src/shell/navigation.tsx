import { Link } from '@tanstack/react-router';
import { allows } from '../api/roles.ts';
import { pages, type PageEntry, type PageName, type Section } from '../pages/pages.ts';
import { useInstance } from './instance.tsx';
import { useLanguage, useWords } from './languages.ts';
import { linkTo } from './page-link.tsx';
import styles from './frame.module.css';
import { words } from './words.ts';

const sections: (Section | undefined)[] = [undefined, 'mail', 'sending', 'developers', 'administration'];

/** The pages that the person may see, by section. */
export function usePages(): { name: PageName; entry: PageEntry }[] {
  const { role } = useInstance();
  return (Object.entries(pages) as [PageName, PageEntry][])
    .map(([name, entry]) => ({ name, entry }))
    .filter(({ entry }) => entry.icon !== undefined && allows(role, entry.needs));
}

export function Navigation({ onFollow }: { onFollow: () => void }) {
  const t = useWords(words);
  const language = useLanguage();
  const { slug } = useInstance();
  const shown = usePages();
  return sections.map((section) => {
    const items = shown.filter(({ entry }) => entry.section === section);
    if (items.length === 0) return null;
    return (
      <div key={section ?? 'first'}>
        {section && <p className={styles['section']}>{t.sections[section]}</p>}
        <ul className={styles['list']}>
          {items.map(({ name, entry: { icon: Icon, title, path } }) => (
            <li key={name}>
              <Link
                {...linkTo(slug, { page: name })}
                className={styles['link']}
                activeOptions={{ exact: path === '/', includeSearch: false }}
                onClick={onFollow}
                preload="intent"
              >
                {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
                {title[language]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
