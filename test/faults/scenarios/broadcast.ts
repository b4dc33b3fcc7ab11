import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../src/base/db/database.ts';
import { addConsentingPeople } from '../../support/consenting-people.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { FaultBed } from '../bed/fault-bed.ts';
import type { FaultDatabase } from '../bed/fault-database.ts';
import type { Outcome, Scenario } from '../bed/scenario.ts';

/** Within this the broadcast goes on after a kill: another node takes the lease up at its next heartbeat. */
const goesOnWithinMs = 90_000;

interface Progress {
  state: string;
  recipients: number;
  position: number;
  accepted: number;
  left_out: number;
}

const queryable = ({ query }: FaultDatabase): Queryable => ({
  query: async (sql, values) => await query(typeof sql === 'string' ? sql : sql.text, values),
});

/** A draft to people who agreed, by the sandbox sender of the instance. */
async function writeBroadcast(db: Queryable, slug: string, contacts: number): Promise<number> {
  const [made] = await db.query<
    Record<'instance_id' | 'purpose_id' | 'term_id' | 'version_id' | 'id', number>
  >(
    `with instance as (
       update instances set bandwidth_bytes_per_second = 2 ^ 40, bandwidth_burst_bytes = 2 ^ 40 where slug = $1 returning id
     ), sender as (
       update senders s set stream = 'broadcast' from instance i, domains d
       where s.instance_id = i.id and d.id = s.domain_id and d.is_sandbox returning s.id
     ), purpose as (
       select p.id from consent_purposes p join instance i on i.id = p.instance_id order by p.id limit 1
     ), term as (
       insert into consent_terms (instance_id, name, type, channels) select id, 'News', 'marketing', '{mail}' from instance returning id
     ), covered as (
       insert into consent_term_purposes (term_id, purpose_id) select term.id, purpose.id from term, purpose
     ), version as (
       insert into consent_term_versions (term_id, version, body, is_current, published_at)
       select id, '1', 'I agree.', true, now() from term returning id
     ), template as (
       insert into mail_templates (instance_id, name, subject, editor, source, html, is_published, published_at)
       select id, 'News', 'News', 'html', '<p>News</p>', '<p>News</p>', true, now() from instance returning id
     ), broadcast as (
       insert into broadcasts (instance_id, name, sender_id, template_id, purpose_id, audience, group_code, state, created_at, updated_at)
       select instance.id, 'News', sender.id, template.id, purpose.id, '{}', 'broadcast-of-the-faults', 'draft', now(), now()
       from instance, sender, template, purpose limit 1 returning id
     )
     select instance.id as instance_id, purpose.id as purpose_id, term.id as term_id, version.id as version_id, broadcast.id
     from instance, purpose, term, version, broadcast`,
    [slug],
  );
  if (!made) throw new Error('the broadcast was not written');
  await addConsentingPeople(db, { ...made, count: contacts });
  await db.query('analyze consent_rules');
  return made.id;
}

/** In place of delivery, which is not killed here. */
function emptyQueue(db: Queryable): { stop: () => Promise<void> } {
  let isOver = false;
  const run = (async () => {
    while (!isOver) {
      await db.query('delete from queue where lease is null').catch(() => undefined);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await run;
    },
  };
}

async function progressOf(db: Queryable, id: number): Promise<Progress> {
  const [row] = await db.query<Progress & Record<string, unknown>>(
    `select state, coalesce(recipient_count, 0) as recipients, position, accepted_count as accepted,
       (select coalesce(sum(value::integer), 0)::integer from jsonb_each_text(left_out)) as left_out
     from broadcasts where id = $1`,
    [id],
  );
  return row as Progress;
}

/** Kills the node that works on it, in the middle of a batch where chance has it; gives how long it took to go on. */
async function killOne(bed: FaultBed, db: Queryable, id: number): Promise<number> {
  const { position } = await progressOf(db, id);
  const isOver = async (from: number): Promise<boolean> => {
    const now = await progressOf(db, id);
    return now.state === 'sent' || now.position > from;
  };
  await waitFor(async () => await isOver(position), { timeout_ms: goesOnWithinMs, interval_ms: 5 });
  await sleep(Math.random() * 300);
  const [holder] = await db.query<{ node: string | null }>(
    'select left(lease::text, 8) as node from broadcasts where id = $1',
    [id],
  );
  const [known] = await db.query<{ pid: number }>('select pid from nodes where id = $1', [
    holder?.node ?? '',
  ]);
  const workers = bed.nodes.filter(({ is_up, base_url }) => is_up && base_url === '');
  const victim = workers.find(({ pid }) => pid === known?.pid) ?? workers[0];
  const before = await progressOf(db, id);
  const began = Date.now();
  await victim?.kill();
  await victim?.start();
  await waitFor(async () => await isOver(before.position), { timeout_ms: goesOnWithinMs, interval_ms: 20 });
  return Date.now() - began;
}

async function examine(db: Queryable, id: number): Promise<Outcome> {
  const { state, recipients, position, accepted, left_out } = await progressOf(db, id);
  const mails = await db.query<{ recipient: string; mails: number }>(
    `select p.contact as recipient, count(m.mail_id)::integer as mails from broadcast_recipients p
     join broadcasts b on b.id = p.broadcast_id
     left join mails m on m.custom_group_code = b.group_code and m.recipient = p.contact
     where b.id = $1 group by 1 having count(m.mail_id) <> 1`,
    [id],
  );
  const problems = [
    ...(state === 'sent' ? [] : [`it ended ${state}`]),
    ...(position === recipients && recipients === accepted + left_out
      ? []
      : [`${recipients} recipients, ${position} handled, ${accepted} accepted and ${left_out} left out`]),
  ];
  const findings = {
    acknowledged: accepted,
    refused: left_out,
    unanswered: 0,
    lost: mails.filter((each) => each.mails === 0).map(({ recipient }) => recipient),
    standing: [],
    doubled: mails.filter((each) => each.mails > 1).map(({ recipient }) => recipient),
    unheard: [],
    refused_but_stored: [],
    healed_ms: 0,
  };
  return { findings, problems };
}

export const broadcast: Scenario = {
  name: 'broadcast',
  about: 'kill -9 of the node that works on a broadcast, in the middle of it',
  rounds: 12,
  options: { contacts: 60_000 },
  short: { contacts: 4_000 },
  short_rounds: 1,
  needs_server: false,
  async play({ open, rounds, options: { contacts = 1_000 }, note }) {
    const bed = await open();
    const api = await bed.startNode('api');
    for (let count = 0; count < 2; count += 1) await bed.startNode('jobs');
    const db = queryable(bed.database);
    const id = await writeBroadcast(db, bed.caller.slug, contacts);
    const queue = emptyQueue(db);
    const answer = await fetch(`${api.base_url}/v1/broadcasts/${id}/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bed.caller.api_key}`, 'x-instance-slug': bed.caller.slug },
    });
    if (!answer.ok) throw new Error(`the broadcast was not sent: ${await answer.text()}`);
    let healed_ms = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const ms = await killOne(bed, db, id);
      healed_ms = Math.max(healed_ms, ms);
      const { position, recipients } = await progressOf(db, id);
      note(`round ${round}: goes on after ${ms} ms, ${position} of ${recipients}`);
    }
    const isSent = async (): Promise<boolean> => (await progressOf(db, id)).state === 'sent';
    await waitFor(isSent, { timeout_ms: 600_000, interval_ms: 100 }).catch(() => undefined);
    await queue.stop();
    const { findings, problems } = await examine(db, id);
    note(`goes on after at most ${healed_ms} ms`);
    return { findings, problems };
  },
};
