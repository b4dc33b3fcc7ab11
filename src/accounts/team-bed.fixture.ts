import assert from 'node:assert/strict';
import { createApi, type Api } from '../../test/support/api.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

export const members = '/v1/private/team/members';
export const invitations = '/v1/private/team/invitations';

export interface Invitation {
  role?: string;
  by?: Api;
  /** Where the mail arrives, when its domain is written in another way. */
  recipient?: string;
}

/** A team with an owner and an admin, and a server that takes the mail to the people they invite. */
export interface TeamBed {
  service: TestService;
  clock: ReturnType<typeof createMovableClock>;
  dns: DnsServer;
  mx: RemoteMx;
  tenant: Tenant;
  owner: PanelUser;
  admin: PanelUser;
  /** A caller who has not signed in. */
  open: Api;
  newEmail: () => string;
  /** Invites as the admin, and reads the token from the mail that arrives. */
  invite: (email: string, invitation?: Invitation) => Promise<{ id: number; token: string }>;
  stop: () => Promise<void>;
}

export async function startTeamBed(): Promise<TeamBed> {
  const clock = createMovableClock('2026-11-01T12:00:00Z');
  const dns = await startDnsServer({});
  const mx = await startRemoteMx({});
  dns.set('people.test', 'MX', ['10 mx.people.test']);
  dns.set('mx.people.test', 'A', ['127.0.0.1']);
  const service = await startTestService({
    roles: 'api,delivery',
    clock,
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    },
  });
  const tenant = await service.tenant();
  const owner = await signIn(service, tenant, 'owner');
  const open = createApi({ base_url: service.base_url });
  let people = 0;

  async function invite(
    email: string,
    { role = 'developer', by = bed.admin, recipient = email.toLowerCase() }: Invitation = {},
  ): Promise<{ id: number; token: string }> {
    const known = mx.messages.length;
    const answer = await by.post(invitations, { email, role });
    assert.equal(answer.status, 201, answer.text);
    const messages = await mx.waitForMessages(known + 1);
    const message = messages[known];
    assert.deepEqual(message?.rcpt_to, [recipient]);
    const text = message?.data.toString().replaceAll('=\r\n', '') ?? '';
    const [, token = ''] = /accept-invitation#([\w-]{43})/.exec(text) ?? [];
    assert.ok(token, text);
    return { id: answer.json.id, token };
  }

  const bed: TeamBed = {
    service,
    clock,
    dns,
    mx,
    tenant,
    owner,
    admin: await signIn(service, tenant, 'admin'),
    open,
    newEmail: () => `person-${(people += 1)}@people.test`,
    invite,
    stop: async () => {
      await service.stop();
      await mx.stop();
      await dns.stop();
    },
  };
  return bed;
}
