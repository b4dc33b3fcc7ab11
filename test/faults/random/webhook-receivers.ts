import { startWebhookSink, type SinkResponse } from '../../support/webhook-sink.ts';
import type { History } from './history.ts';
import type { Random } from './plan/prng.ts';

export interface WebhookManners {
  /** Of requests, which are answered with 500, cut or not answered. */
  failing_share: number;
}

export interface WebhookReceiver {
  url: string;
  stop: () => Promise<void>;
}

/** An endpoint of a customer. */
export async function startWebhookReceiver(
  hook: string,
  { history, manners, random }: { history: History; manners: WebhookManners; random: Random },
): Promise<WebhookReceiver> {
  const sink = await startWebhookSink({
    respond: ({ headers, body }) => {
      const response = random.chance(manners.failing_share)
        ? random.pick<SinkResponse>([{ status: 500 }, { status: 503 }, 'drop'])
        : { status: 204, delay_ms: random.integer(0, 20) };
      const { type, data } = JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> };
      const status = typeof response === 'string' ? 0 : (response.status ?? 0);
      history.hooks.push({ hook, id: String(headers['webhook-id']), at: Date.now(), status, type, data });
      sink.requests.length = 0;
      return response;
    },
  });
  return { url: sink.url, stop: sink.stop };
}
