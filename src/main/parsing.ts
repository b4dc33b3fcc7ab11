import { lookUpWith } from '../inbound/authentication/mailauth-resolver.ts';
import { createMailParser } from '../inbound/parse/mail-parser.ts';
import { createParseLoop } from '../inbound/parse/parse-loop.ts';
import { createSpamScore } from '../inbound/parse/spam-score.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { createResolver } from '../protocol/dns/client/resolver.ts';
import type { Running, ServiceContext } from './service-context.ts';

const dnsTimeoutMs = 4_000;

/** Of role `inbound`: reads what its listeners stored, whichever node did. */
export function startParsing({
  config,
  store,
  notifications,
  clock,
  log,
  metrics,
  node,
  secret,
}: ServiceContext): Running {
  const dns = { dns_servers: config.dns_servers, dns_timeout_ms: dnsTimeoutMs };
  const resolver = createResolver({ servers: config.dns_servers, timeout_ms: dnsTimeoutMs });
  const parser = createMailParser({ lookUp: lookUpWith(resolver), dns });
  const loop = createParseLoop({
    db: store.db,
    notifications,
    clock,
    log,
    node,
    batches: metrics.batches,
    parser,
    tokens: new MailTokens(secret),
    spamScore: config.rspamd_url === undefined ? undefined : createSpamScore(config.rspamd_url, log),
  });
  loop.start();
  return {
    async stop() {
      await loop.stop();
      parser.stop();
    },
    abort() {
      loop.abort();
      parser.stop();
    },
  };
}
