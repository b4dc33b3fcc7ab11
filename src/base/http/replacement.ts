import { isDeepStrictEqual } from 'node:util';
import type { Static, TObject, TSchema } from 'typebox';
import { validationProblem } from '../errors/problem.ts';
import type { Caller } from './access.ts';
import type { Operation } from './operation.ts';

type Members = Record<string, unknown>;
type Property = TSchema & { type?: string | string[]; anyOf?: { type?: string }[]; default?: unknown };

/** What the functions of a resource need of a call that names it. */
export interface ResourceCall<Params extends TObject, By = Caller> {
  caller: By;
  address: string;
  params: Static<Params>;
}

interface Replacement<Params extends TObject, Changes extends TObject, By> {
  /** The operation that changes some members of the resource. */
  patch: Operation;
  $id: string;
  summary: string;
  params?: Params;
  /** What a creation takes: which members are needed, and what the others are when left out. */
  creation: TObject;
  /** What `patch` takes: the members that can change. */
  changes: Changes;
  /** Of members that a creation does not take. */
  defaults?: Members;
  /** Members that never change: another value is refused, the one that they have is not. */
  fixed: readonly string[];
  /** Members that reading does not show, such as secrets: left out, they stay. */
  hidden?: readonly string[];
  /** Of members whose items `patch` answers with more than it takes. */
  example?: Members;
  /** How values are compared, where two ways of writing one are the same. */
  canonical?: Record<string, (value: unknown) => unknown>;
  read: (call: ResourceCall<Params, By>) => Promise<object>;
  apply: (call: ResourceCall<Params, By>, changes: Static<Changes>) => Promise<unknown>;
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const description = (fixed: readonly string[], hidden: readonly string[]): string =>
  `Takes what reading it answers. What is left out becomes what it would be in a creation. ${
    fixed.length === 0 ? '' : `${listed(fixed)} cannot change: give the present value or nothing. `
  }${
    hidden.length === 0 ? '' : `${listed(hidden)} is not shown: left out, it stays as it is. `
  }Members that cannot be written are ignored. Where nothing differs, nothing is done.`;

/** PUT of what GET answers, made of the operation that changes single members: `patch` is applied to what differs. */
export function replacement<Params extends TObject, Changes extends TObject, By = Caller>(
  wanted: Replacement<Params, Changes, By>,
): Operation {
  const { patch, summary, fixed, hidden = [], canonical = {}, read, apply } = wanted;
  const body = bodyOf(wanted);
  const example = { ...(patch.success.example as Members), ...wanted.example };
  const same = (name: string, one: unknown, other: unknown): boolean => {
    const form = canonical[name] ?? ((value: unknown) => value);
    return isDeepStrictEqual(form(one), form(other));
  };
  return {
    ...patch,
    id: patch.id.replace('update_', 'replace_'),
    method: 'PUT',
    summary,
    description: description(fixed, hidden),
    body,
    body_example: Object.fromEntries(
      Object.keys(body.properties)
        .filter((name) => !hidden.includes(name))
        .map((name) => [name, example[name] ?? null]),
    ),
    handle: async (call: ResourceCall<Params, By> & { body: Members }) => {
      const present = (await read(call)) as Members;
      const given = call.body;
      refuseOthers(
        fixed.filter((name) => given[name] !== undefined && !same(name, given[name], present[name])),
      );
      const changes = Object.keys(wanted.changes.properties)
        .filter((name) => given[name] !== undefined || !hidden.includes(name))
        .map((name) => [name, given[name] === undefined ? defaultOf(wanted, name) : given[name]] as const)
        .filter(([name, value]) => !same(name, value, present[name]));
      if (changes.length === 0) return present;
      return await apply(call, Object.fromEntries(changes) as Static<Changes>);
    },
  };
}

function refuseOthers(names: string[]): void {
  if (names.length === 0) return;
  const message = 'This cannot change: give the present value or leave it out';
  throw validationProblem(names.map((name) => ({ pointer: `/${name}`, code: 'value_error.fixed', message })));
}

interface ObjectSchema extends TSchema {
  properties: Record<string, Property>;
}

function bodyOf(
  wanted: Pick<
    Replacement<TObject, TObject, never>,
    'patch' | '$id' | 'creation' | 'changes' | 'fixed' | 'hidden' | 'defaults'
  >,
): ObjectSchema {
  const { $id, patch, creation, changes, fixed, hidden = [] } = wanted;
  const known = new Set([...Object.keys(changes.properties), ...fixed]);
  const lost = Object.keys(creation.properties).filter((name) => !known.has(name));
  if (lost.length > 0) throw new Error(`${$id} would ignore ${lost.join()}, which a creation takes.`);
  const shown = (patch.success.schema as ObjectSchema).properties;
  const fixedOnes = fixed.map((name) => [name, creation.properties[name] ?? shown[name]] as const);
  const changeable = Object.entries(changes.properties as Record<string, Property>).map(([name, schema]) => {
    const value = hidden.includes(name) ? undefined : defaultOf(wanted, name);
    return [name, value === undefined || value === null ? schema : { ...schema, default: value }] as const;
  });
  const required = changeable
    .map(([name]) => name)
    .filter((name) => defaultOf(wanted, name) === undefined && !hidden.includes(name));
  const properties = Object.fromEntries([...fixedOnes, ...changeable]);
  return { $id, type: 'object', required, properties } as ObjectSchema;
}

/** What a member becomes that is left out; undefined: it may not be. */
function defaultOf(
  {
    creation,
    changes,
    defaults = {},
  }: Pick<
    Replacement<TObject, TObject, never>,
    'patch' | '$id' | 'creation' | 'changes' | 'fixed' | 'defaults'
  >,
  name: string,
): unknown {
  if (Object.hasOwn(defaults, name)) return defaults[name];
  const created: Property | undefined = creation.properties[name];
  if (created?.default !== undefined) return created.default;
  return isNullable(changes.properties[name] as Property) ? null : undefined;
}

function isNullable({ type, anyOf = [] }: Property): boolean {
  return [type, ...anyOf.map((each) => each.type)].flat().includes('null');
}
