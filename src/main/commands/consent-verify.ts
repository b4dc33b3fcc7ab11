import { everyPage } from '../../base/http/every-page.ts';
import type { Queryable } from '../../base/db/database.ts';
import { readAnchor } from '../../consent/chain/chain.ts';
import { verifyChain, type ChainCheck } from '../../consent/chain/verify-chain.ts';
import { getInstance, listInstances } from '../../instances/instances.ts';
import { optional, type Command } from '../command.ts';
import { withStore } from './with-store.ts';

interface InstanceCheck extends ChainCheck {
  instance: string;
}

/** The chain of each instance, one after the other. */
export async function verifyChains(
  db: Queryable,
  instances: { id: number; slug: string }[],
): Promise<InstanceCheck[]> {
  const checks: InstanceCheck[] = [];
  for (const { id, slug } of instances) checks.push({ instance: slug, ...(await verifyChain(db, id)) });
  return checks;
}

export function describeCheck({ instance, is_intact, sequence, hash, first_break }: InstanceCheck): string {
  if (is_intact) return `${instance}: intact through ${sequence}:${hash}`;
  const about = first_break?.consent_event_id ? ` (consent event ${first_break.consent_event_id})` : '';
  return `${instance}: BROKEN, ${first_break?.problem} at ${first_break?.sequence}${about}; good through ${sequence}:${hash}`;
}

export const consentVerify: Command = {
  name: 'consent verify',
  arguments: '[--instance S [--anchor SEQUENCE:HASH]]',
  summary: 'Checks that no evidence of consent was altered, taken out, put in or moved.',
  options: {
    instance: { type: 'string', about: 'Slug of the instance (default all).' },
    anchor: { type: 'string', about: 'A place that an earlier check printed: it must still be as it was.' },
  },
  example: 'chasqui consent verify --instance acme',
  async run(input) {
    const slug = optional(input, 'instance');
    const anchorText = optional(input, 'anchor');
    if (anchorText && !slug) throw new Error('--anchor is about one instance: name it with --instance.');
    const anchor = anchorText ? readAnchor(anchorText) : undefined;
    if (anchorText && !anchor) throw new Error('--anchor is SEQUENCE:HASH, as an earlier check printed it.');
    const data = await withStore(input.env, async (db) => {
      if (!slug)
        return await verifyChains(db, await everyPage(async (page) => await listInstances(db, page)));
      const { id } = await getInstance(db, slug);
      return [{ instance: slug, ...(await verifyChain(db, id, { anchor })) }];
    });
    const is_intact = data.every((check) => check.is_intact);
    if (!is_intact) process.exitCode = 1;
    return {
      text: data.map(describeCheck).join('\n') || 'There are no instances.',
      json: { is_intact, data },
    };
  },
};
