import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/errors/problem.ts';
import { Download, operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { openArchive, type OpeningContext } from './open-archive.ts';
import { lockRequest } from './requests.ts';

export interface ArchiveRouteContext extends OpeningContext {
  clock: Clock;
}

/** An archive reads everything about a person, and holds one message at a time in memory. */
export const archiveSlots = { per_instance: 2, in_all: 8, what: 'archives' };

export function archiveRoute({ db, clock, build, archives }: ArchiveRouteContext): Operation {
  return operation({
    id: 'get_rights_archive',
    method: 'GET',
    path: '/v1/rights-requests/{id}/archive',
    tag: 'Rights',
    summary: 'Download everything about a person',
    description:
      'Of a request for access or portability: one ZIP archive with every mail as `.eml`, its log, opens, clicks, consents with their texts and hashes, submissions, suppressions and audit lines, each as JSON and as CSV; `index.html` for people, `schema.json` for programs. If the connection breaks, discard the file and ask again. Two archives of an instance are made at a time; one that is not read for a minute ends. Each download has a receipt.',
    access: { kind: 'api_key', scope: 'rights:read', role: 'admin' },
    params: Type.Object({ id: Id('Identifier of the request.') }),
    success: {
      status: 200,
      description: 'The archive.',
      also: {
        'application/zip': {
          schema: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/zip' }),
        },
      },
    },
    errors: ['rights_request_not_found', 'rights_request_unverified', 'rights_archive_not_available'],
    handle: async (call) => {
      const { id } = call.params;
      const instanceId = call.caller.instance.id;
      const made_at = clock.now();
      const request = await lockRequest(db, instanceId, id);
      if (request.status === 'unverified') throw new Problem('rights_request_unverified');
      const isArchived = request.kind === 'access' || request.kind === 'portability';
      if (!isArchived || request.status === 'refused' || request.contacts.length === 0) {
        throw new Problem('rights_archive_not_available');
      }
      return new Download({
        content_type: 'application/zip',
        file_name: `rights-request-${id}.zip`,
        open: async () =>
          await openArchive({ db, build, archives }, instanceId, { request, actor: actorOf(call), made_at }),
      });
    },
  });
}
