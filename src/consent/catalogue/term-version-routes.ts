import { Type } from 'typebox';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { audited } from '../../audit/index.ts';
import {
  ConsentTermVersion,
  ConsentTermVersionChanges,
  NewConsentTermVersion,
  versionExample,
} from './term-schemas.ts';
import {
  addVersion,
  deleteVersion,
  publishVersion,
  setCurrentVersion,
  updateVersion,
} from './term-versions.ts';

const tag = 'Consent';
const path = '/v1/consent-terms/{id}/versions/{version_id}' as const;
const id = Id('Identifier of the term.');
const params = Type.Object({ id, version_id: Id('Identifier of the version.') });
const access = { kind: 'api_key', scope: 'terms:write', role: 'developer' } as const;
/** Publishing and marking current are final decisions, so a person needs to be an admin. */
const deciding = { kind: 'api_key', scope: 'terms:write', role: 'admin' } as const;
const version = { description: 'The version.', schema: ConsentTermVersion, example: versionExample } as const;
const draft = { ...version, example: { ...versionExample, is_current: false, published_at: null } };
const missing = ['consent_term_not_found', 'consent_term_version_not_found'] as const;
/** A text of 256 KB, and its JSON encoding. */
const max_body_bytes = 2 * 1024 * 1024;

export function termVersionRoutes({ db }: { db: Database }): Operation[] {
  return [...draftRoutes(db), ...decisionRoutes(db)];
}

function draftRoutes(db: Database): Operation[] {
  return [
    operation({
      id: 'add_consent_term_version',
      method: 'POST',
      path: '/v1/consent-terms/{id}/versions',
      tag,
      summary: 'Add a version to a consent term',
      description: 'It begins as a draft, which can be changed and deleted until it is published.',
      access,
      params: Type.Object({ id }),
      body: NewConsentTermVersion,
      body_example: { version: '1.1', body: 'I agree to receive the newsletter by mail every week.' },
      max_body_bytes,
      success: { status: 201, ...draft },
      errors: [
        'consent_term_not_found',
        'consent_term_version_already_exists',
        'consent_term_texts_too_large',
      ],
      handle: async (call) =>
        await audited(db, addVersion)(call, { term_id: call.params.id, version: call.body }),
    }),
    operation({
      id: 'update_consent_term_version',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change a draft of a version',
      description: 'What is left out stays. A published version never changes.',
      access,
      params,
      body: ConsentTermVersionChanges,
      body_example: { body: 'I agree to receive the newsletter by mail once a week.' },
      max_body_bytes,
      success: { status: 200, ...draft },
      errors: [
        ...missing,
        'consent_term_version_published',
        'consent_term_version_already_exists',
        'consent_term_texts_too_large',
      ],
      handle: async (call) =>
        await audited(db, updateVersion)(call, { ...versionOf(call), changes: call.body }),
    }),
    operation({
      id: 'delete_consent_term_version',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a draft of a version',
      description: 'A published version is never deleted.',
      access,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: [...missing, 'consent_term_version_published'],
      handle: async (call) => await audited(db, deleteVersion)(call, versionOf(call)),
    }),
  ];
}

function decisionRoutes(db: Database): Operation[] {
  return [
    operation({
      id: 'publish_consent_term_version',
      method: 'POST',
      path: `${path}/publish`,
      tag,
      summary: 'Publish a version',
      description:
        'Its words are final from then on. It does not become the current version by that. Publishing it again changes nothing.',
      access: deciding,
      params,
      success: { status: 200, ...version, example: { ...versionExample, is_current: false } },
      errors: [...missing],
      handle: async (call) => await audited(db, publishVersion)(call, versionOf(call)),
    }),
    operation({
      id: 'set_current_consent_term_version',
      method: 'POST',
      path: `${path}/set-current`,
      tag,
      summary: 'Make a published version the current one',
      description: 'New consents go to it. Consents on record keep the version they were given to.',
      access: deciding,
      params,
      success: { status: 200, ...version },
      errors: [...missing, 'consent_term_version_not_published'],
      handle: async (call) => await audited(db, setCurrentVersion)(call, versionOf(call)),
    }),
  ];
}

function versionOf(call: { params: { id: number; version_id: number } }): { term_id: number; id: number } {
  return { term_id: call.params.id, id: call.params.version_id };
}
