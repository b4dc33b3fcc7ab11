import type { Role } from '../../src/base/http/access.ts';
import { createMember } from '../../src/accounts/users.ts';
import { createApi, type Api, type ApiResponse } from './api.ts';
import type { Tenant, TestService } from './test-service.ts';

export interface Login {
  email: string;
  password: string;
}

/** A caller of the private routes: a signed-in member of an instance. */
export interface PanelUser extends Api {
  id: number;
  login: Login;
  access_token: string;
  /** `chasqui_refresh=…`, as the browser would send it. */
  cookie: string;
}

/** What the panel sends along with its cookie. */
export const panelHeader = { 'x-requested-with': 'chasqui-panel' };

const operator = { kind: 'operator' } as const;
let members = 0;

/** A new person with a role in the tenant's instance, who has not signed in yet. */
export async function createLogin(
  { db }: TestService,
  tenant: Tenant,
  role: Role,
): Promise<Login & { id: number }> {
  const email = `member-${process.pid}-${(members += 1)}@example.com`;
  const password = `the password of ${email}`;
  const { id } = await db.transaction(
    async (tx) =>
      await createMember(tx, tenant.instance.id, { user: { email, password, role }, actor: operator }),
  );
  return { id, email, password };
}

/** Makes a member with that role, signs in, and calls with the token and the tenant's slug from then on. */
export async function signIn(service: TestService, tenant: Tenant, role: Role): Promise<PanelUser> {
  const { id, ...login } = await createLogin(service, tenant, role);
  const { base_url } = service;
  const answer = await createApi({ base_url }).post('/v1/private/auth/login', login);
  if (answer.status !== 200) throw new Error(`the sign-in was answered with ${answer.status} ${answer.text}`);
  const access_token: string = answer.json.access_token;
  const api = createApi({ base_url, api_key: access_token, slug: tenant.instance.slug });
  return { ...api, id, login, access_token, cookie: cookieOf(answer) };
}

/** The name and value of the one cookie that an answer sets. */
export function cookieOf({ headers }: ApiResponse): string {
  const [pair = ''] = headers.getSetCookie()[0]?.split(';') ?? [];
  return pair;
}
