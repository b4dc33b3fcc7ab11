import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../base/db/database.ts';

/** Orders take a minute; an authority may look again a little later. */
const keepHours = 1;
/** A certificate has at most 100 names; an order that failed may have left as many. */
const maxPending = 500;

export async function publishChallenge(db: Queryable, token: string, answer: string): Promise<void> {
  await db.query('delete from acme_challenges where expires_at <= now()');
  await db.query(
    `insert into acme_challenges (token, answer, expires_at) values ($1, $2, now() + $3 * interval '1 hour')
     on conflict (token) do update set answer = excluded.answer, expires_at = excluded.expires_at`,
    [token, answer, keepHours],
  );
}

/** RFC 8555 §8.3: plain HTTP, at a fixed path, on whichever node the authority reaches. */
export function challengePage(db: Queryable): (app: FastifyInstance) => void {
  const readAnswers = createChallengeReader(db);
  return (app) => {
    app.get<{ Params: { token: string } }>('/.well-known/acme-challenge/:token', async (request, reply) => {
      const answer = (await readAnswers()).get(request.params.token);
      if (answer === undefined) return reply.callNotFound();
      return await reply.type('application/octet-stream').send(answer);
    });
  };
}

/**
 * Everybody may ask, so one query at a time serves all who wait. Each gets one that began after it asked: an answer that was
 * published before is never missed, since the authority asks once.
 */
export function createChallengeReader(db: Queryable): () => Promise<Map<string, string>> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Map<string, string>> | undefined;
  async function read(): Promise<Map<string, string>> {
    const rows = await db.query<{ token: string; answer: string }>(
      'select token, answer from acme_challenges where expires_at > now() order by expires_at desc limit $1',
      [maxPending],
    );
    return new Map(rows.map(({ token, answer }) => [token, answer]));
  }
  return () =>
    (next ??= running.then(async () => {
      next = undefined;
      const reading = read();
      running = reading.catch(() => undefined);
      return await reading;
    }));
}
