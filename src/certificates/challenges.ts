import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../base/db/database.ts';

/** Orders take a minute; an authority may look again a little later. */
const keep_hours = 1;

export async function publishChallenge(db: Queryable, token: string, answer: string): Promise<void> {
  await db.query('delete from acme_challenges where expires_at <= now()');
  await db.query(
    `insert into acme_challenges (token, answer, expires_at) values ($1, $2, now() + $3 * interval '1 hour')
     on conflict (token) do update set answer = excluded.answer, expires_at = excluded.expires_at`,
    [token, answer, keep_hours],
  );
}

/** RFC 8555 §8.3: plain HTTP, at a fixed path, on whichever node the authority reaches. */
export function challengePage(db: Queryable): (app: FastifyInstance) => void {
  return (app) => {
    app.get<{ Params: { token: string } }>('/.well-known/acme-challenge/:token', async (request, reply) => {
      const { token } = request.params;
      // base64url (RFC 8555 §8.3): nothing else is looked up.
      const [row] = /^[\w-]{1,200}$/.test(token)
        ? await db.query<{ answer: string }>(
            'select answer from acme_challenges where token = $1 and expires_at > now()',
            [token],
          )
        : [];
      if (row === undefined) return reply.callNotFound();
      return await reply.type('application/octet-stream').send(row.answer);
    });
  };
}
