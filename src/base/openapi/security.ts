import type { Access } from '../http/access.ts';
import type { Operation } from '../http/operation.ts';

/** Whom a document is for: programs with an API key, or the panel with the token of a person. */
export type Audience = 'programs' | 'panel';

type Requirement = Record<string, never[]>;

const api_key = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'chq.<key_id>.<token>',
  description: 'An API key of the instance, made in the panel or with `chasqui api-key create`.',
};

const operator_key = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'chqop.<key_id>.<token>',
  description: 'A key of the operator of the installation, made with `chasqui operator-key create`.',
};

const access_token = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The `access_token` that signing in answers with.',
};

const instance_slug = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Instance-Slug',
  description: 'The slug of the instance that the call acts on.',
};

export function securitySchemes(audience: Audience): object {
  return audience === 'panel' ? { access_token, instance_slug } : { api_key, operator_key };
}

/** What an operation asks for that does not say otherwise. */
export function usualSecurity(audience: Audience): Requirement[] {
  return audience === 'panel'
    ? [{ access_token: [], instance_slug: [] }]
    : // The slug is a parameter that may be left out: generated clients send the one secret they are given for every scheme.
      [{ api_key: [] }];
}

/** Whether the call acts on one instance. */
export function actsOnInstance({ kind }: Access): boolean {
  return kind === 'api_key' || kind === 'user';
}

/** What the description of an operation has of its access, beyond what is usual in its document. */
export function securityOf({ access, path }: Pick<Operation, 'access' | 'path'>): object {
  if (access.kind === 'api_key') return { 'x-required-scope': access.scope };
  if (access.kind === 'user') return { 'x-required-role': access.role };
  if (access.kind === 'open') return { security: [] };
  return { security: [path.startsWith('/v1/private/') ? { access_token: [] } : { operator_key: [] }] };
}
