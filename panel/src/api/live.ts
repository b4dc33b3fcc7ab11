import { respond } from './call.ts';
import type { Operations } from './operations.ts';
import { ApiProblem } from './problem.ts';

/** Something happened to a mail of the instance. */
export type LiveMail = Operations['panel_live']['event'];

export interface LiveListener {
  onMail: (happened: LiveMail) => void;
  /** Something may have been missed: what is shown is to be read again. */
  onGap: () => void;
  onState: (state: 'connecting' | 'live') => void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/** Follows the instance until the signal: server-sent events by `fetch`, which can carry the token. */
export async function followLive(slug: string, listener: LiveListener, signal: AbortSignal): Promise<void> {
  let wait = firstWaitMs;
  let lastId: string | undefined;
  while (!signal.aborted) {
    listener.onState('connecting');
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await respond('panel_live', {}, { slug, signal, headers });
      for await (const { event, id, data } of readEvents(response)) {
        wait = firstWaitMs;
        if (id !== undefined) lastId = id;
        tell(listener, event, data);
      }
    } catch (error) {
      const isOver = error instanceof ApiProblem && [401, 403].includes(error.status);
      if (signal.aborted || isOver) return;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, longestWaitMs);
  }
}

function tell(listener: LiveListener, event: string, data: string): void {
  if (event === 'mail') listener.onMail(JSON.parse(data) as LiveMail);
  else if (event === 'more' || event === 'reset') listener.onGap();
  else if (event === 'ready') {
    listener.onState('live');
    if (!(JSON.parse(data) as { resumed: boolean }).resumed) listener.onGap();
  }
}

interface ServerEvent {
  event: string;
  id: string | undefined;
  data: string;
}

/** The events of a stream (HTML §9.2.6): blocks of lines, an empty one ends each. */
async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
      const valuesOf = (name: string): string[] =>
        lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []));
      const data = valuesOf('data').join('\n');
      if (data !== '') yield { event: valuesOf('event')[0] ?? 'message', id: valuesOf('id')[0], data };
    }
  }
}
