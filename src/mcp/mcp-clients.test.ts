import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { toolTable } from './tool-table.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const about = { name: 'test', version: '1' };

function connection(api_key = tenant.api_key) {
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': tenant.instance.slug };
  return { url: new URL(`${service.base_url}/mcp`), options: { requestInit: { headers } } };
}

async function firstClient(api_key?: string) {
  const { url, options } = connection(api_key);
  const client = new FirstClient(about);
  await client.connect(new FirstTransport(url, options));
  return client;
}

async function secondClient(mode: 'auto' | 'legacy', api_key?: string) {
  const { url, options } = connection(api_key);
  const client = new Client(about, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return client;
}

/** Every generation of the protocol, by the official client that speaks it. */
const generations = {
  'the client of the first generation': firstClient,
  'the client of the second generation, by a session of 2025': async (key?: string) =>
    await secondClient('legacy', key),
  'the client of the second generation, without a session, as of 2026': async (key?: string) =>
    await secondClient('auto', key),
};

for (const [name, connect] of Object.entries(generations)) {
  test(`${name} initialises, lists, calls, reads and is refused`, async () => {
    const client = await connect();
    assert.equal(client.getServerVersion()?.name, 'chasqui');
    assert.match(client.getInstructions() ?? '', /chasqui:\/\/guide/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      toolTable.map((entry) => entry.name),
    );

    // The clients hold structured content against the schema by themselves once they have listed the tools.
    const senders = await client.callTool({ name: 'list_senders', arguments: {} });
    const { data } = senders.structuredContent as { data: { email_address: string }[] };
    assert.equal(data[0]?.email_address, `test@${tenant.instance.slug}.sandbox.test`);
    const sent = await client.callTool({
      name: 'send_mail',
      arguments: {
        sender_email: data[0]?.email_address,
        to: [{ email: 'delivered@sandbox.test' }],
        subject: 'Hello',
        html: '<p>Hello</p>',
        test_mode: true,
      },
    });
    assert.match((sent.structuredContent as { message_id: string }).message_id, /^[0-9a-f-]{36}$/);

    const refused = await client.callTool({ name: 'get_mail', arguments: { mail_id: 'none' } });
    assert.equal(refused.isError, true);
    const [problem] = refused.content as { type: string; text: string }[];
    assert.equal(JSON.parse(problem?.text ?? '').code, 'mail_not_found');
    await assert.rejects(client.callTool({ name: 'eat_mail', arguments: {} }), /no such tool/);

    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['chasqui://guide'],
    );
    const { contents } = await client.readResource({ uri: 'chasqui://guide' });
    assert.match((contents[0] as { text: string }).text, /^# Short guide for agents/);
    await assert.rejects(client.readResource({ uri: 'chasqui://other' }));
    await client.close();
  });

  test(`${name} does not get in with a wrong key`, async () => {
    await assert.rejects(connect('chq.aaaaaaaaaaaaaaaa.no'), /401|Unauthorized|Valid credentials/i);
  });
}

test('the revisions are those that the clients asked for', async () => {
  const revisions = await Promise.all(
    [await secondClient('legacy'), await secondClient('auto')].map(async (client) => {
      const revision = client.getNegotiatedProtocolVersion();
      await client.close();
      return revision;
    }),
  );
  assert.deepEqual(revisions, ['2025-11-25', '2026-07-28']);
});

test('a client that begins to sign in by OAuth after a 401 fails with the words that help', async () => {
  const authProvider = {
    redirectUrl: 'http://localhost:6274/oauth/callback',
    clientMetadata: { redirect_uris: ['http://localhost:6274/oauth/callback'] },
    clientInformation: () => undefined,
    tokens: () => undefined,
    saveClientInformation: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => assert.fail('there is nothing to sign in to'),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  };
  const { url } = connection();
  const first = new FirstClient(about).connect(new FirstTransport(url, { authProvider }));
  await assert.rejects(first, /takes an API key and has no OAuth/);
  const second = new Client(about).connect(new StreamableHTTPClientTransport(url, { authProvider }));
  await assert.rejects(second, /takes an API key and has no OAuth/);
});
