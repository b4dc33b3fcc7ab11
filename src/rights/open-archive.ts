import { Readable } from 'node:stream';
import type { Database } from '../base/db/database.ts';
import type { InstanceSlots } from '../base/instance-slots.ts';
import type { Actor } from '../audit/index.ts';
import { zipStream } from '../protocol/zip/zip-stream.ts';
import { archiveFiles, type ArchiveContext } from './archive.ts';
import { personOf } from './person.ts';
import { recordStep } from './record-step.ts';
import type { lockRequest } from './requests.ts';

export interface OpeningContext extends ArchiveContext {
  db: Database;
  /** Of the API, the panel and the page together. */
  archives: InstanceSlots;
}

/** The archive of a request as a stream, with a receipt of its download. */
export async function openArchive(
  { db, build, archives }: OpeningContext,
  instanceId: number,
  {
    request,
    actor,
    made_at,
  }: { request: Awaited<ReturnType<typeof lockRequest>>; actor: Actor; made_at: Date },
): Promise<Readable> {
  const leave = archives.enter(instanceId);
  try {
    const [named] = await db.query<{ name: string }>('select name from instances where id = $1', [
      instanceId,
    ]);
    const person = await personOf(db, instanceId, request.contacts);
    await db.transaction(
      async (tx) => await recordStep(tx, instanceId, { request, step: 'downloaded', actor, at: made_at }),
    );
    const { contacts, language } = request;
    const subject = { person, contacts, language, instance: { name: named?.name ?? '' }, made_at };
    const files = archiveFiles({ db, build }, subject);
    return Readable.from(zipStream(files, made_at), { objectMode: false }).once('close', leave);
  } catch (error) {
    leave();
    throw error;
  }
}
