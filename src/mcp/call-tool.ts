import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, recordAudit } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Caller } from '../base/http/access.ts';
import { Reply } from '../base/http/operation.ts';
import { nestedProblem } from '../base/http/problem-response.ts';
import { RequestCall } from '../base/http/request-call.ts';
import { logFailure } from '../base/http/failure-log.ts';
import { problemOf } from '../base/http/request-errors.ts';
import type { Log } from '../base/log.ts';
import { problemAnswer, toolAnswer, type ToolResult } from './tool-answer.ts';
import type { ToolEntry } from './tool-table.ts';
import type { Tool } from './tool.ts';

export interface CallOptions {
  db: Database;
  log: Log;
  readonly base_url: string;
  count(tool: string, outcome: string): void;
}

/** One HTTP request with one message of the protocol in it, by a caller who is known. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
}

/** Runs the operation of a tool as the caller. Whatever refuses it is told as a problem document. */
export async function callTool(
  options: CallOptions,
  tool: Tool,
  { exchange, given }: { exchange: Exchange; given: unknown },
): Promise<ToolResult> {
  const { request } = exchange;
  try {
    const result = await runOperation(options, tool, { exchange, given });
    options.count(tool.entry.name, 'ok');
    return toolAnswer(tool, result);
  } catch (error) {
    const problem = problemOf(error, request);
    logFailure(options.log, { error, problem, request, details: { tool: tool.entry.name } });
    options.count(tool.entry.name, problem.code);
    return problemAnswer(
      nestedProblem(problem, {
        base_url: options.base_url,
        request_id: request.id,
        trace_id: request.trace_id,
      }),
    );
  }
}

async function runOperation(
  options: CallOptions,
  { entry, operation, scope, readArguments }: Tool,
  { exchange, given }: { exchange: Exchange; given: unknown },
): Promise<unknown> {
  const { request, reply, caller } = exchange;
  if (caller.actor.kind !== 'api_key' || !caller.actor.scopes.has(scope)) throw new Problem('forbidden');
  const call = new RequestCall(request, reply, readArguments(given));
  const answer = await operation.handle(call as never);
  const result = answer instanceof Reply ? (answer.body as unknown) : answer;
  if (entry.audited) await noteCall(options, { exchange, result: result as Record<string, unknown>, entry });
  return result;
}

/** The act is done by now: that it could not be noted is ours to look into, and no refusal. */
async function noteCall(
  { db, log }: CallOptions,
  { exchange, result, entry }: { exchange: Exchange; result: Record<string, unknown>; entry: Tool['entry'] },
): Promise<void> {
  const { request, caller } = exchange;
  const { audited } = entry;
  if (!audited) return;
  const { action, object_kind } = audited;
  const { id, more } = auditedId(audited, result);
  // A batch of which nothing was accepted did nothing.
  if (id === undefined) return;
  await recordAudit(db, {
    instance_id: caller.instance.id,
    actor: actorOf({ caller, address: request.ip }),
    action,
    object: { kind: object_kind, id },
    details: { tool: entry.name, ...more },
  }).catch((error: unknown) =>
    log.error({ err: error, request_id: request.id, action }, 'a call over MCP is not in the audit log'),
  );
}

/** Of several, the first stands for all. */
function auditedId(
  { id, of_each }: NonNullable<ToolEntry['audited']>,
  result: Record<string, unknown>,
): { id: string | undefined; more: Record<string, unknown> } {
  if (of_each === undefined) return { id: String(result[id]), more: {} };
  const ids = (result[of_each] as Record<string, string>[]).flatMap((item) => item[id] ?? []);
  return { id: ids[0], more: { count: ids.length } };
}
