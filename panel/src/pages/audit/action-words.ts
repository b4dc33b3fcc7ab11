import { useWords } from '../../shell/languages.ts';
import { words } from './words.ts';

/** `api_key.created` as people say it; what has no words is shown as it is. */
export function useActionWords(): (action: string) => string {
  const t = useWords(words);
  const kinds: Record<string, string> = { ...t.kinds, member: t.kinds.user };
  const verbs: Record<string, string> = t.verbs;
  return (action) => {
    const [kind = '', verb = ''] = action.split('.');
    return `${kinds[kind] ?? spaced(kind)} · ${verbs[verb] ?? spaced(verb)}`;
  };
}

const spaced = (name: string): string => name.replaceAll('_', ' ');
