import type { CompatContext } from '../compat-context.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { readFilters, refused } from './paging.ts';
import { streams } from './streams.ts';

/** An instance as a server of Postmark, and its streams. */
export function serverRoutes(context: CompatContext): VendorRoute[] {
  return [serverRoute(context), streamsRoute(), streamRoute()];
}

function serverRoute({ base_url }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/server',
    scope: 'mail:read',
    handle: async ({ caller: { instance } }) => ({
      ID: instance.id,
      Name: instance.slug,
      ApiTokens: [],
      ServerLink: `${base_url}/panel/`,
      Color: 'Green',
      SmtpApiActivated: true,
      RawEmailEnabled: false,
      DeliveryType: 'Live',
      InboundAddress: '',
      InboundHash: '',
      InboundSpamThreshold: 0,
      PostFirstOpenOnly: false,
      // Each sender says so for itself.
      TrackOpens: false,
      TrackLinks: 'None',
      IncludeBounceContentInHook: false,
      EnableSmtpApiErrorHooks: false,
    }),
  };
}

const types: Readonly<Record<string, string>> = { outbound: 'Transactional', broadcast: 'Broadcasts' };
/** They are as old as the service: clients expect a time. */
const created = '2026-01-01T00:00:00Z';

function streamOf(id: string, serverId: number) {
  return {
    ID: id,
    ServerID: serverId,
    Name: id,
    Description: `Senders of stream ${streams.get(id)}`,
    MessageStreamType: types[id],
    CreatedAt: created,
    UpdatedAt: null,
    ArchivedAt: null,
    ExpectedPurgeDate: null,
    SubscriptionManagementConfiguration: {
      UnsubscribeHandlingType: id === 'broadcast' ? 'Postmark' : 'None',
    },
  };
}

function streamsRoute(): VendorRoute {
  return {
    method: 'GET',
    path: '/message-streams',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, query }) => {
      const { messagestreamtype = 'All' } = readFilters(query, [
        'messagestreamtype',
        'includearchivedstreams',
      ]);
      const wanted = messagestreamtype.toLowerCase();
      const found = [...streams.keys()].filter(
        (id) => wanted === 'all' || types[id]?.toLowerCase() === wanted,
      );
      return {
        MessageStreams: found.map((id) => streamOf(id, instance.id)),
        TotalCount: found.length,
      };
    },
  };
}

function streamRoute(): VendorRoute {
  return {
    method: 'GET',
    path: '/message-streams/:stream',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, params }: VendorCall) => {
      const { stream = '' } = params;
      if (!streams.has(stream)) {
        throw refused('MessageStream', 'The message stream is outbound or broadcast.');
      }
      return streamOf(stream, instance.id);
    },
  };
}
