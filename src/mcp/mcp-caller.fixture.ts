import assert from 'node:assert/strict';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { createApiKey, type NewApiKey } from '../credentials/api-keys.ts';

/** What a call of a tool gives. */
export interface ToolAnswer {
  content: { type: string; text: string }[];
  // oxlint-disable-next-line typescript/no-explicit-any
  structuredContent?: any;
  isError?: boolean;
}

export interface McpCaller {
  url: string;
  headers: Record<string, string>;
  /** One message over HTTP, as it is. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The result of a request; an error of JSON-RPC is thrown. */
  // oxlint-disable-next-line typescript/no-explicit-any
  request(method: string, params?: object): Promise<any>;
  call(name: string, given?: object): Promise<ToolAnswer>;
  /** The problem document of a refused call. */
  // oxlint-disable-next-line typescript/no-explicit-any
  refusal(name: string, given?: object): Promise<any>;
}

/** Speaks to the MCP server without a client, as the holder of a key. */
export function mcpCaller(
  { base_url }: { base_url: string },
  { api_key, slug }: { api_key: string; slug: string },
): McpCaller {
  const url = `${base_url}/mcp`;
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': slug };
  let id = 0;
  const post: McpCaller['post'] = async (body, more = {}) =>
    await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const request: McpCaller['request'] = async (method, params = {}) => {
    const response = await post({ jsonrpc: '2.0', id: (id += 1), method, params });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const { result, ...rest } = JSON.parse(text) as { result?: unknown };
    assert.ok(result, JSON.stringify(rest));
    return result;
  };
  const call: McpCaller['call'] = async (name, given = {}) =>
    (await request('tools/call', { name, arguments: given })) as ToolAnswer;
  return {
    url,
    headers,
    post,
    request,
    call,
    async refusal(name, given) {
      const answer = await call(name, given);
      assert.equal(answer.isError, true, JSON.stringify(answer));
      assert.equal(answer.structuredContent, undefined);
      return JSON.parse(answer.content[0]?.text ?? '');
    },
  };
}

/** Another key of the instance. */
export async function keyFor(
  service: TestService,
  { instance }: Tenant,
  wanted: Partial<NewApiKey>,
): Promise<McpCaller> {
  const key = { name: 'agent', scopes: ['mail:read'], ip_allowlist: [], ...wanted };
  const { api_key } = await createApiKey(service.db, instance.id, { key, actor: { kind: 'operator' } });
  return mcpCaller(service, { api_key, slug: instance.slug });
}
