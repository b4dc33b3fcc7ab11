import { randomBytes } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { scopes } from '../base/http/access.ts';
import { seedPurposes } from '../consent/catalogue/purposes.ts';
import { seedSandbox } from '../domains/sandbox.ts';
import { seedSystemFields } from '../forms/fields.ts';
import { createApiKey } from '../credentials/api-keys.ts';
import { recordAudit, type Actor } from '../audit/audit.ts';
import { insertInstance, type Instance, type NewInstance } from '../instances/instances.ts';
import { addMembership, createMember, setOperator } from '../accounts/users.ts';

/** An instance with everything it starts with; one transaction, each room puts down its own part. */
export async function provisionInstance(tx: Queryable, wanted: NewInstance, actor: Actor): Promise<Instance> {
  const instance = await insertInstance(tx, wanted);
  await seedSystemFields(tx, instance.id);
  await seedPurposes(tx, instance.id);
  await seedSandbox(tx, instance);
  await recordAudit(tx, {
    instance_id: instance.id,
    actor,
    action: 'instance.created',
    object: { kind: 'instance', id: instance.slug },
    details: { name: instance.name, timezone: instance.timezone },
  });
  return instance;
}

/** For operators. In the panel the new instance belongs to the user who makes it; a program makes its first API key. */
export async function provisionForOperator(
  tx: Queryable,
  wanted: NewInstance,
  { actor, owner_id }: { actor: Actor; owner_id: number | undefined },
): Promise<Instance> {
  const made = await provisionInstance(tx, wanted, actor);
  if (owner_id !== undefined) await addMembership(tx, made.id, { user_id: owner_id, role: 'owner', actor });
  return made;
}

export interface DemoCredentials {
  slug: string;
  api_key: string;
  email: string;
  password: string;
}

export interface Demo {
  slug: string;
  /** Undefined when none were wanted: then they are not printed and cannot leak. */
  credentials: DemoCredentials | undefined;
}

/** On an installation without instances: one to try everything with. Undefined when there is one already. */
export async function provisionDemo(
  tx: Queryable,
  { with_credentials }: { with_credentials: boolean },
): Promise<Demo | undefined> {
  // Nodes that start together on an empty database make one demo, not two.
  await tx.query("select pg_advisory_xact_lock(hashtext('chasqui demo'))");
  const [first] = await tx.query<{ exists: boolean }>(
    'select exists (select from instances where not is_platform)',
  );
  if (first?.exists) return undefined;
  const actor: Actor = { kind: 'system' };
  const slug = 'demo';
  const instance = await provisionInstance(tx, { slug, name: 'Demo' }, actor);
  if (!with_credentials) return { slug, credentials: undefined };
  const email = 'owner@chasqui.test';
  const password = randomBytes(12).toString('base64url');
  await createMember(tx, instance.id, { user: { email, password, role: 'owner' }, actor });
  await setOperator(tx, email, { is_operator: true, actor });
  const key = { name: 'First key', scopes: [...scopes], ip_allowlist: [] };
  const { api_key } = await createApiKey(tx, instance.id, { key, actor });
  return { slug, credentials: { slug, api_key, email, password } };
}
