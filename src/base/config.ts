import { isIP } from 'node:net';
import path from 'node:path';
import { defaultBodyMemory, minShareBytes } from './body-memory.ts';
import { weaknessOf } from './secret-strength.ts';
import { environmentReader, isHttpsOrLocal, type EnvironmentReader } from './environment-reader.ts';

export type Environment = Record<string, string | undefined>;

export interface Config {
  host: string;
  http_port: number;
  metrics_port: number;
  dns_port: number;
  /** SMTP submission with STARTTLS. */
  submission_port: number;
  /** SMTP submission with TLS from the start. */
  submissions_port: number;
  /** As mail programs reach them, where a proxy or a container maps ports. */
  public_submission_port: number;
  public_submissions_port: number;
  /** SMTP for what comes back: bounces, complaints, reports. */
  inbound_port: number;
  smtp_allow_plaintext: boolean;
  /** Of a message that is submitted. */
  submission_max_header_bytes: number;
  /** Of both submission ports together, in each thread. */
  submission_max_connections: number;
  submission_max_connections_per_source: number;
  submission_max_unauthenticated: number;
  submission_max_unauthenticated_per_source: number;
  submission_auth_timeout_seconds: number;
  submission_commands_before_auth: number;
  /** DMARC reports that a domain takes in a day, from one reporter and in all. */
  dmarc_reports_per_reporter: number;
  dmarc_reports_per_domain: number;
  /** Received mail a second: of one source, for one domain and for one instance; 0 turns a limit off. */
  inbound_per_source_second: number;
  inbound_per_domain_second: number;
  inbound_per_instance_second: number;
  /** Asked for a spam score of received mail; undefined: it has none. */
  rspamd_url: string | undefined;
  /** How many threads take in HTTP and SMTP submission, on the same ports. */
  threads: number;
  /** The most values a JSON body is made of. */
  json_max_values: number;
  /** How many times its transferred bytes a gzip body may inflate to. */
  gzip_max_ratio: number;
  /** A node that has had nothing to do for this long gives memory back. */
  memory_rest_seconds: number;
  /** Bodies and messages on their way in, of the whole process and of one instance. */
  body_memory_bytes: number;
  body_memory_instance_bytes: number;
  /** Undefined: no HTTPS of our own; a proxy may add it. */
  https_port: number | undefined;
  /** Directory of the authority that certificates are ordered from by ACME; undefined: none are. */
  acme_directory: string | undefined;
  acme_email: string | undefined;
  /** What the certificate is for. */
  acme_names: string[];
  /** Certificate and key in PEM; a self-signed one is made when they are not set. */
  tls_cert_file: string | undefined;
  tls_key_file: string | undefined;
  base_url: string;
  /** Undefined: the embedded database in `data_dir`. */
  database_url: string | undefined;
  data_dir: string;
  /** Whether `data_dir` was chosen by the operator or is our default. */
  data_dir_is_default: boolean;
  database_pool_size: number;
  /** Undefined: read from, or generated into, `data_dir`. */
  secret: string | undefined;
  allow_weak_secret: boolean;
  platform_domain: string;
  /** Empty: the resolvers of the system. */
  dns_servers: string[];
  /** Whose AD bit counts for DANE. */
  dnssec: 'loopback' | 'always' | 'never';
  /** Addresses of this installation as the world sees them: what its MX and SPF records say. */
  public_addresses: string[];
  /** Names or addresses of the servers that answer for the platform's zone; `public_addresses` when empty. */
  name_servers: string[];
  /** A relay for all mail, in place of the recipients' own servers; with its password, so never to be logged. */
  smarthost: string | undefined;
  /** At most, from one node. */
  smarthost_connections: number;
  mx_port: number;
  mx_allow_private: boolean;
  /** A server to try port 25 with; undefined: a large provider's, except in test beds. */
  port_25_host: string | undefined;
  /** Mail of real domains is sent although its links lead only to this machine. */
  allow_local_base_url: boolean;
  /** The most to wait for any one reply of a remote server. */
  mx_timeout_seconds: number;
  /** How long a node has a mail for itself at most, and whatever else it claims. */
  delivery_lease_seconds: number;
  /** Without a heartbeat for this long a node is declared dead, and what it held is taken up by others. */
  node_dead_seconds: number;
  /** Processor time for the Liquid of one mail, and for the MJML of one template; what takes longer is stopped. */
  liquid_max_ms: number;
  mjml_max_ms: number;
  /** Of templates, for one person in one instance; 0 turns the limit off. */
  previews_per_minute: number;
  /** At most; the sandbox domain does not count. */
  domains_per_instance: number;
  /** Of one person in the panel; 0 turns the limit off. */
  panel_requests_per_second: number;
  /** How often others can make the platform write to people; 0 turns the limit off. */
  platform_mail_per_recipient_day: number;
  platform_mail_per_instance_hour: number;
  confirmations_per_instance_hour: number;
  platform_mail_per_network_hour: number;
  /** Webhooks may be http and at private addresses: for test beds. */
  webhook_allow_insecure: boolean;
  trust_proxy: boolean | number | string[];
  /** OpenID Connect provider that people can sign in by; undefined: none. */
  oidc:
    | {
        issuer: string;
        client_id: string;
        client_secret: string | undefined;
        /** On its button. */
        name: string;
        /** For everyone whose email it confirms; else only for those who are invited. */
        creates_accounts: boolean;
      }
    | undefined;
  /** Serves the APIs of other services, for clients that were written for them. */
  compat: boolean;
  log_level: string;
  /** `auto`: for people on a terminal, else JSON. */
  log_format: 'auto' | 'json' | 'pretty';
  log_colours: boolean;
  /** Receiver of traces (OTLP over HTTP); undefined: none are made. */
  otlp_endpoint: string | undefined;
  /** For its authorization, so never to be logged. */
  otlp_headers: Record<string, string>;
  /** Of the messages. */
  trace_percent: number;
  /** From SIGTERM until listeners close; `/readyz` is 503 meanwhile, so that a load balancer looks elsewhere. */
  shutdown_delay_ms: number;
  stop_timeout_ms: number;
  demo: boolean;
  /** Of the first start, on standard output whatever that is. */
  print_credentials: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Everything wrong with the environment, told at once. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const read = environmentReader(env, problems);
  const http_port = read.integer('CHASQUI_HTTP_PORT', 8080, [0, 65535]);
  const submission_port = read.integer('CHASQUI_SUBMISSION_PORT', 2587, [0, 65535]);
  const submissions_port = read.integer('CHASQUI_SUBMISSIONS_PORT', 2465, [0, 65535]);
  const threads = read.integer('CHASQUI_THREADS', 1, [1, 64]);
  const mx_allow_private = read.boolean('CHASQUI_MX_ALLOW_PRIVATE', false);
  const config: Config = {
    host: read.text('CHASQUI_HOST', '127.0.0.1'),
    http_port,
    metrics_port: read.integer('CHASQUI_METRICS_PORT', 9464, [0, 65535]),
    dns_port: read.integer('CHASQUI_DNS_PORT', 5300, [0, 65535]),
    submission_port,
    submissions_port,
    public_submission_port: read.integer('CHASQUI_PUBLIC_SUBMISSION_PORT', submission_port, [0, 65535]),
    public_submissions_port: read.integer('CHASQUI_PUBLIC_SUBMISSIONS_PORT', submissions_port, [0, 65535]),
    inbound_port: read.integer('CHASQUI_INBOUND_PORT', 2525, [0, 65535]),
    smtp_allow_plaintext: read.boolean('CHASQUI_SMTP_ALLOW_PLAINTEXT', false),
    submission_max_header_bytes: read.integer(
      'CHASQUI_SUBMISSION_MAX_HEADER_BYTES',
      262_144,
      [4_096, 4_194_304],
    ),
    submission_max_connections: read.integer('CHASQUI_SUBMISSION_MAX_CONNECTIONS', 1_000, [1, 100_000]),
    submission_max_connections_per_source: read.integer(
      'CHASQUI_SUBMISSION_MAX_CONNECTIONS_PER_SOURCE',
      100,
      [1, 100_000],
    ),
    submission_max_unauthenticated: read.integer('CHASQUI_SUBMISSION_MAX_UNAUTHENTICATED', 500, [1, 100_000]),
    submission_max_unauthenticated_per_source: read.integer(
      'CHASQUI_SUBMISSION_MAX_UNAUTHENTICATED_PER_SOURCE',
      50,
      [1, 100_000],
    ),
    submission_auth_timeout_seconds: read.integer('CHASQUI_SUBMISSION_AUTH_TIMEOUT_SECONDS', 60, [1, 600]),
    submission_commands_before_auth: read.integer('CHASQUI_SUBMISSION_COMMANDS_BEFORE_AUTH', 20, [6, 200]),
    dmarc_reports_per_reporter: read.integer('CHASQUI_DMARC_REPORTS_PER_REPORTER', 100, [1, 100_000]),
    dmarc_reports_per_domain: read.integer('CHASQUI_DMARC_REPORTS_PER_DOMAIN', 1_000, [1, 1_000_000]),
    inbound_per_source_second: read.integer('CHASQUI_INBOUND_PER_SOURCE_SECOND', 50, [0, 1_000_000]),
    inbound_per_domain_second: read.integer('CHASQUI_INBOUND_PER_DOMAIN_SECOND', 100, [0, 1_000_000]),
    inbound_per_instance_second: read.integer('CHASQUI_INBOUND_PER_INSTANCE_SECOND', 200, [0, 1_000_000]),
    rspamd_url: read.given('CHASQUI_RSPAMD_URL')
      ? read.url('CHASQUI_RSPAMD_URL', 'http://localhost:11333', /^https?:$/).replace(/\/+$/, '')
      : undefined,
    threads,
    json_max_values: read.integer('CHASQUI_JSON_MAX_VALUES', 20_000, [1_000, 1_000_000]),
    gzip_max_ratio: read.integer('CHASQUI_GZIP_MAX_RATIO', 100, [2, 1_100]),
    memory_rest_seconds: read.integer('CHASQUI_MEMORY_REST_SECONDS', 600, [1, 86_400]),
    body_memory_bytes: read.integer(
      'CHASQUI_BODY_MEMORY_BYTES',
      Math.max(defaultBodyMemory.total_bytes, threads * minShareBytes),
      [threads * minShareBytes, 2 ** 40],
    ),
    body_memory_instance_bytes: read.integer(
      'CHASQUI_BODY_MEMORY_INSTANCE_BYTES',
      defaultBodyMemory.share_bytes,
      [minShareBytes, 2 ** 40],
    ),
    https_port: read.given('CHASQUI_HTTPS_PORT')
      ? read.integer('CHASQUI_HTTPS_PORT', 0, [0, 65535])
      : undefined,
    acme_directory: read.authority('CHASQUI_ACME_DIRECTORY'),
    acme_email: read.text('CHASQUI_ACME_EMAIL', '') || undefined,
    acme_names: read.list('CHASQUI_ACME_NAMES'),
    tls_cert_file: read.text('CHASQUI_TLS_CERT_FILE', '') || undefined,
    tls_key_file: read.text('CHASQUI_TLS_KEY_FILE', '') || undefined,
    base_url: read.url('CHASQUI_BASE_URL', `http://localhost:${http_port}`, /^https?:$/).replace(/\/+$/, ''),
    database_url: read.given('DATABASE_URL') ? read.url('DATABASE_URL', '', /^postgres(ql)?:$/) : undefined,
    data_dir: path.resolve(read.text('CHASQUI_DATA_DIR', 'data')),
    data_dir_is_default: !read.given('CHASQUI_DATA_DIR'),
    database_pool_size: read.integer('CHASQUI_DATABASE_POOL_SIZE', 10, [2, 100]),
    secret: read.given('CHASQUI_SECRET'),
    allow_weak_secret: read.boolean('CHASQUI_ALLOW_WEAK_SECRET', false),
    platform_domain: read.domain('CHASQUI_PLATFORM_DOMAIN', 'chasqui.test'),
    dns_servers: read.servers('CHASQUI_DNS_SERVERS'),
    dnssec: read.choice('CHASQUI_DNSSEC', 'loopback', ['loopback', 'always', 'never']),
    public_addresses: read.addresses('CHASQUI_PUBLIC_ADDRESSES', ['127.0.0.1']),
    name_servers: read.list('CHASQUI_NAME_SERVERS'),
    smarthost: read.relay('CHASQUI_SMARTHOST'),
    smarthost_connections: read.integer('CHASQUI_SMARTHOST_CONNECTIONS', 10, [1, 1_000]),
    mx_port: read.integer('CHASQUI_MX_PORT', 25, [1, 65535]),
    mx_allow_private,
    port_25_host: read.text('CHASQUI_PORT_25_HOST', '') || undefined,
    allow_local_base_url: read.boolean('CHASQUI_ALLOW_LOCAL_BASE_URL', mx_allow_private),
    mx_timeout_seconds: read.integer('CHASQUI_MX_TIMEOUT_SECONDS', 600, [1, 600]),
    delivery_lease_seconds: read.integer('CHASQUI_DELIVERY_LEASE_SECONDS', 1_800, [1, 86_400]),
    node_dead_seconds: read.integer('CHASQUI_NODE_DEAD_SECONDS', 90, [3, 3_600]),
    liquid_max_ms: read.integer('CHASQUI_LIQUID_MAX_MS', 1_000, [100, 60_000]),
    mjml_max_ms: read.integer('CHASQUI_MJML_MAX_MS', 10_000, [100, 60_000]),
    previews_per_minute: read.integer('CHASQUI_PREVIEWS_PER_MINUTE', 120, [0, 100_000]),
    domains_per_instance: read.integer('CHASQUI_DOMAINS_PER_INSTANCE', 100, [1, 100_000]),
    panel_requests_per_second: read.integer('CHASQUI_PANEL_REQUESTS_PER_SECOND', 50, [0, 100_000]),
    platform_mail_per_recipient_day: read.integer('CHASQUI_PLATFORM_MAIL_PER_RECIPIENT_DAY', 3, [0, 100_000]),
    platform_mail_per_instance_hour: read.integer(
      'CHASQUI_PLATFORM_MAIL_PER_INSTANCE_HOUR',
      60,
      [0, 100_000],
    ),
    confirmations_per_instance_hour: read.integer(
      'CHASQUI_CONFIRMATIONS_PER_INSTANCE_HOUR',
      2_000,
      [0, 1_000_000],
    ),
    platform_mail_per_network_hour: read.integer('CHASQUI_PLATFORM_MAIL_PER_NETWORK_HOUR', 100, [0, 100_000]),
    webhook_allow_insecure: read.boolean('CHASQUI_WEBHOOK_ALLOW_INSECURE', false),
    trust_proxy: read.proxies('CHASQUI_TRUST_PROXY'),
    oidc: readProvider(read, problems),
    compat: read.switch('CHASQUI_COMPAT', true),
    log_level: read.choice('CHASQUI_LOG_LEVEL', 'info', logLevels),
    log_format: read.choice('CHASQUI_LOG_FORMAT', 'auto', ['auto', 'json', 'pretty']),
    log_colours: read.given('NO_COLOR') === undefined,
    otlp_endpoint: read.given('CHASQUI_OTLP_ENDPOINT')
      ? read.url('CHASQUI_OTLP_ENDPOINT', 'http://localhost:4318', /^https?:$/)
      : undefined,
    otlp_headers: read.headers('CHASQUI_OTLP_HEADERS'),
    trace_percent: read.integer('CHASQUI_TRACE_PERCENT', 100, [1, 100]),
    shutdown_delay_ms: read.integer('CHASQUI_SHUTDOWN_DELAY_SECONDS', 2, [0, 300]) * 1000,
    stop_timeout_ms: read.integer('CHASQUI_STOP_TIMEOUT_SECONDS', 30, [1, 600]) * 1000,
    demo: read.boolean('CHASQUI_DEMO', true),
    print_credentials: read.boolean('CHASQUI_PRINT_CREDENTIALS', false),
  };
  const weakness = config.secret === undefined ? undefined : weaknessOf(config.secret);
  if (weakness !== undefined && !config.allow_weak_secret) {
    problems.push(`CHASQUI_SECRET ${weakness}; \`openssl rand -base64 32\` makes a good one.`);
  }
  const { base_url, otlp_endpoint } = config;
  for (const [name, value] of Object.entries({
    CHASQUI_BASE_URL: base_url,
    CHASQUI_OTLP_ENDPOINT: otlp_endpoint,
    CHASQUI_RSPAMD_URL: config.rspamd_url,
  })) {
    if (value !== undefined && !isPlainUrl(value)) {
      problems.push(`${name} must have no user, password, query or fragment.`);
    }
  }
  if ((config.tls_cert_file === undefined) !== (config.tls_key_file === undefined)) {
    problems.push('CHASQUI_TLS_CERT_FILE and CHASQUI_TLS_KEY_FILE go together.');
  }
  if (config.acme_directory !== undefined && config.tls_cert_file !== undefined) {
    problems.push('CHASQUI_ACME_DIRECTORY and CHASQUI_TLS_CERT_FILE exclude each other.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  if (config.acme_names.length === 0) config.acme_names = ownNames(config);
  return config;
}

/** By which people and mail programs reach this installation. */
function ownNames({ base_url, platform_domain }: Config): string[] {
  const host = new URL(base_url).hostname;
  const isName = isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.');
  return [...new Set([...(isName ? [host] : []), `mx.${platform_domain}`])];
}

/** All of it or none. OpenID Connect Discovery 1.0 §4 asks for https; a test bed has it on this machine. */
function readProvider(read: EnvironmentReader, problems: string[]): Config['oidc'] {
  const { given, wrong } = read;
  const issuer = given('CHASQUI_OIDC_ISSUER');
  const client_id = given('CHASQUI_OIDC_CLIENT_ID');
  const client_secret = given('CHASQUI_OIDC_CLIENT_SECRET');
  const creates_accounts = read.boolean('CHASQUI_OIDC_CREATE_ACCOUNTS', false);
  const named = given('CHASQUI_OIDC_NAME');
  if (issuer === undefined) {
    if (client_id !== undefined || client_secret !== undefined)
      problems.push('CHASQUI_OIDC_CLIENT_ID and CHASQUI_OIDC_CLIENT_SECRET need CHASQUI_OIDC_ISSUER.');
    return undefined;
  }
  const isIssuer = isHttpsOrLocal(issuer) && isPlainUrl(issuer);
  if (!isIssuer) return wrong('CHASQUI_OIDC_ISSUER', 'a URL like https://id.example.com', undefined);
  if (client_id === undefined) {
    problems.push('CHASQUI_OIDC_ISSUER needs CHASQUI_OIDC_CLIENT_ID.');
    return undefined;
  }
  if (named !== undefined && named.length > 60)
    return wrong('CHASQUI_OIDC_NAME', 'at most 60 characters', undefined);
  const name = named ?? new URL(issuer).hostname;
  return { issuer, client_id, client_secret, name, creates_accounts };
}

/** Paths are added to it, and it stands in links and in errors of requests. */
function isPlainUrl(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}
