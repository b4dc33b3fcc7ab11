import { waitFor } from '../../../test/support/wait-for.ts';

export interface LiveMessage {
  event: string;
  id: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface LiveClient {
  status: number;
  messages: LiveMessage[];
  /** Whether the server ended the stream. */
  isOver(): boolean;
  until(found: (message: LiveMessage) => boolean): Promise<LiveMessage>;
  close(): void;
}

/** A reader of server-sent events, as a page with `fetch` would be. */
export async function openLive(url: string, headers: Record<string, string>): Promise<LiveClient> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const messages: LiveMessage[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      messages.push(...blocks.filter((block) => !block.startsWith(':')).map(messageOf));
    }
  };
  read().then(
    () => (isOver = true),
    () => (isOver = true),
  );
  return {
    status: response.status,
    messages,
    isOver: () => isOver,
    until: async (found) => {
      await waitFor(async () => messages.some(found), { timeout_ms: 15_000 });
      return messages.find(found) as LiveMessage;
    },
    close: () => abort.abort(),
  };
}

function messageOf(block: string): LiveMessage {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
