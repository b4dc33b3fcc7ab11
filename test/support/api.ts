import { checkAgainstContract } from './contract.ts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; loosely typed, since the contract has been checked already. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<ApiResponse>;
}

interface ApiOptions {
  base_url: string;
  api_key?: string;
  slug?: string;
}

/** A caller of the API. Every answer it gets is held against the published contract. */
export function createApi({ base_url, api_key, slug }: ApiOptions): Api {
  const request: Api['request'] = async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${base_url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(api_key ? { authorization: `Bearer ${api_key}` } : {}),
        ...(slug ? { 'x-instance-slug': slug } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
    checkAgainstContract({ method, path, answer });
    return answer;
  };
  return {
    request,
    get: async (path, headers) => await request('GET', path, { headers: headers ?? {} }),
    post: async (path, body, headers) => await request('POST', path, { body, headers: headers ?? {} }),
    put: async (path, body, headers) => await request('PUT', path, { body, headers: headers ?? {} }),
    patch: async (path, body, headers) => await request('PATCH', path, { body, headers: headers ?? {} }),
    delete: async (path, headers) => await request('DELETE', path, { headers: headers ?? {} }),
  };
}
