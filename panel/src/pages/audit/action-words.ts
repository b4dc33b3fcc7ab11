import { useMessages } from '../../messages/use-messages.ts';

/** `api_key.created` as people say it; what has no words is shown as it is. */
export function useActionWords(): (action: string) => string {
  const t = useMessages('audit');
  // Actions that are named after something other than what they are about.
  const kinds: Record<string, string> = {
    ...t.kinds,
    member: t.kinds.user,
    consent_evidence: t.kinds.contact,
    sandbox_messages: t.kinds.sandbox_message,
  };
  const verbs: Record<string, string> = t.verbs;
  return (action) => {
    const [kind = '', verb = ''] = action.split('.');
    return `${kinds[kind] ?? capitalised(spaced(kind))} · ${verbs[verb] ?? spaced(verb)}`;
  };
}

const spaced = (name: string): string => name.replaceAll('_', ' ');

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
