import type { Queryable } from '../base/db/database.ts';
import { IdSequence } from '../base/ids.ts';
import type { Person } from '../base/personal-data.ts';
import { sealEvidence } from '../consent/index.ts';
import { dropQueued } from '../events/index.ts';
import { nextMailsOf, nextMailsToErase, type WhoseMails } from '../mails/index.ts';
import { rooms } from './personal-data.ts';

/** What one batch did. Waiting is mail that is being delivered, or that others still wait for. */
export interface BatchResult {
  mails: number;
  rows: number;
  dropped: number;
  waiting: number;
  /** Where the next batch of the step begins; undefined at its end. */
  next: string | undefined;
}

export interface Erasure {
  person: Person;
  /** Under which evidence is sealed; none where a person did not come back, since the standing consents are of others. */
  request_id: number | undefined;
  now: Date;
}

export interface ErasureStep {
  /** Stable: where an erasure stands is stored by it. */
  name: string;
  /** Repeated while mail waits; the others come again when none does. */
  isAboutMails: boolean;
  run: (tx: Queryable, erasure: Erasure, before: string | undefined) => Promise<BatchResult>;
}

const nothing: BatchResult = { mails: 0, rows: 0, dropped: 0, waiting: 0, next: undefined };

/** Mails of one transaction. Each may have a hundred events. */
const mailsAtOnce = 100;

const seal: ErasureStep = {
  name: 'evidence',
  isAboutMails: true,
  run: async (tx, { person, request_id, now }) => {
    if (request_id !== undefined) await sealEvidence(tx, person, { request_id, at: now });
    return nothing;
  },
};

interface PageOfMails {
  whose: WhoseMails;
  before: string | undefined;
  limit: number;
}

/** Address by address; a place is `<number of the address> <mail>`. */
async function byAddress(
  { emails, instance_id }: Person,
  place: string | undefined,
  work: (page: PageOfMails) => Promise<Omit<BatchResult, 'next'> & { after: string | undefined }>,
): Promise<BatchResult> {
  const [number = '0', before] = (place ?? '0').split(' ', 2);
  const email = emails[Number(number)];
  if (email === undefined) return nothing;
  const { after, ...result } = await work({ whose: { instance_id, email }, before, limit: mailsAtOnce });
  return { ...result, next: after === undefined ? `${Number(number) + 1}` : `${number} ${after}` };
}

/** First, so that nothing more is sent to the person, and less is to be waited for. */
const drop: ErasureStep = {
  name: 'queue',
  isAboutMails: true,
  run: async (tx, { person, now }, place) =>
    await byAddress(person, place, async ({ whose, before, limit }) => {
      const { mail_ids, after } = await nextMailsOf(tx, whose, { before, limit });
      const { instance_id } = whose;
      const dropping = { instance_id, mail_ids, reason: 'recipient_erased', at: now } as const;
      const { dropped } = await dropQueued(tx, new IdSequence(), dropping);
      return { ...nothing, dropped, after };
    }),
};

async function eraseNextMails(
  tx: Queryable,
  { whose, before, limit }: PageOfMails,
): Promise<Omit<BatchResult, 'next'> & { after: string | undefined }> {
  const { free, waiting, after } = await nextMailsToErase(tx, whose, { before, limit });
  if (free.mail_ids.length > 0) {
    for (const room of rooms) await room.eraseOfMails?.(tx, free);
  }
  return { ...nothing, mails: free.mail_ids.length, waiting, after };
}

const mails: ErasureStep = {
  name: 'mails',
  isAboutMails: true,
  run: async (tx, { person }, place) =>
    await byAddress(person, place, async (page) => await eraseNextMails(tx, page)),
};

/**
 * What the platform wrote to the person for the instance: invitations, links that verify a request. It is not dropped from the
 * queue: the link is the person's own, and the mail waits until it is delivered.
 */
const platform: ErasureStep = {
  name: 'platform',
  isAboutMails: true,
  run: async (tx, { person }, place) => {
    const [found] = await tx.query<{ id: number }>('select id from instances where is_platform');
    if (!found || found.id === person.instance_id) return nothing;
    return await byAddress({ ...person, instance_id: found.id }, place, async (page) => {
      const written_for = person.instance_id;
      return await eraseNextMails(tx, { ...page, whose: { ...page.whose, written_for } });
    });
  },
};

const ofRooms = rooms.flatMap(({ tables, erase }): ErasureStep[] => {
  if (!erase) return [];
  const run: ErasureStep['run'] = async (tx, { person }, before) => ({
    ...nothing,
    ...(await erase(tx, person, before)),
  });
  return [{ name: `rows of ${tables.join(', ')}`, isAboutMails: false, run }];
});

/** In the order in which they are taken. */
export const erasureSteps: readonly ErasureStep[] = [seal, drop, mails, platform, ...ofRooms];
