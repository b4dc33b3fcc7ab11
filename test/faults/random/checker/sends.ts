import type { Entry, History, Outcome } from '../history.ts';
import type { SenderKind } from '../plan/planned.ts';

/** One send, with all the calls of a caller who asked again under its key. */
export interface Send {
  id: string;
  sender: SenderKind | undefined;
  addresses: string[];
  is_keyed: boolean;
  /** Acknowledged by one of them; refused by all of them. */
  outcome: Outcome;
  began_at: number;
  /** The earliest acknowledgement; the last answer where there is none. */
  ended_at: number;
  calls: Entry[];
  message_ids: string[];
  /** When it is to go out, if the caller said so. */
  schedule_at: number | undefined;
}

export function sendsOf({ entries }: History): Send[] {
  const calls = Map.groupBy(
    [...entries.filter(({ kind }) => kind === 'send'), ...entries.flatMap(mailsOf)],
    nameOf,
  );
  return [...calls].map(([id, list]) => sendOf(id, list));
}

function nameOf({ request }: Entry): string {
  return request.custom_msg_id ?? '';
}

/** The mails of a batch, each as if it had been a call. */
function mailsOf(entry: Entry): Entry[] {
  if (entry.kind !== 'batch') return [];
  const results = entry.answer['data'] as { message_id?: string; error?: { code: string } }[] | undefined;
  return (entry.request.items ?? []).map((request, index): Entry => {
    const { message_id, error } = results?.[index] ?? {};
    const { is_replayed } = entry.answer;
    const item = {
      ...entry,
      request: { ...request, is_keyed: entry.request.is_keyed === true },
      answer: { message_id, is_replayed },
    };
    if (entry.outcome !== 'acknowledged' || message_id !== undefined) return item;
    return { ...item, outcome: 'refused', reply: error?.code ?? 'neither accepted nor refused' };
  });
}

function sendOf(id: string, calls: Entry[]): Send {
  const { sender, addresses = [], is_keyed = false, schedule_at } = calls[0]?.request ?? {};
  const acknowledged = calls.filter(({ outcome }) => outcome === 'acknowledged');
  const isUnanswered = calls.some(({ outcome }) => outcome === 'unanswered');
  return {
    id,
    sender,
    addresses,
    is_keyed,
    schedule_at,
    outcome: acknowledged.length > 0 ? 'acknowledged' : isUnanswered ? 'unanswered' : 'refused',
    began_at: Math.min(...calls.map(({ began_at }) => began_at)),
    ended_at:
      acknowledged.length > 0
        ? Math.min(...acknowledged.map(({ ended_at }) => ended_at))
        : Math.max(...calls.map(({ ended_at }) => ended_at)),
    calls,
    message_ids: [...new Set(acknowledged.map(({ answer }) => String(answer['message_id'])))],
  };
}

/** What was answered, and how a person finds it. */
export function describeSend({ id, calls }: Send): string {
  const answers = calls.map(({ outcome, status, reply }) =>
    outcome === 'unanswered' ? reply : `${status} ${reply}`.trim(),
  );
  return `${id} (${answers.join(', ')})`;
}
