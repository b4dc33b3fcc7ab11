import assert from 'node:assert/strict';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { ConsentEvent, NewConsentEvent, NewConsentRule } from './record/event-schemas.ts';

/** A tenant with terms, and ways to record what its contacts say. */
export interface ConsentAccount extends Tenant {
  marketing: number;
  newsletter: number;
  /** A term for both purposes over mail, sms and push, unless said otherwise, with a current version. */
  term: (options?: TermOptions) => Promise<Term>;
  /** The first term, which is there from the start. */
  first: Term;
  post: (changes?: Partial<NewConsentEvent>) => Promise<ApiResponse>;
  /** Records one rule about a mail address under the first term, or another, and gives the event. */
  recordAllow: (contact: string, more?: RuleOptions) => Promise<ConsentEvent>;
  recordDeny: (contact: string, more?: RuleOptions) => Promise<ConsentEvent>;
}

interface Term {
  id: number;
  version_id: number;
}

interface TermOptions {
  channels?: string[];
  purposes?: number[];
  is_active?: boolean;
  is_current?: boolean;
  body?: string;
}

type RuleOptions = Partial<NewConsentRule> & { term_id?: number };

export async function openConsentAccount(service: TestService, tenant?: Tenant): Promise<ConsentAccount> {
  const owner = tenant ?? (await service.tenant());
  const { api, instance } = owner;
  const purposes = await service.db.query<{ id: number }>(
    'select id from consent_purposes where instance_id = $1 order by code',
    [instance.id],
  );
  const [marketing = 0, newsletter = 0] = purposes.map(({ id }) => id);
  const term = async (options: TermOptions = {}): Promise<Term> =>
    await insertTerm(service, instance.id, { purposes: [marketing, newsletter], ...options });
  const first = await term();
  const post = async (changes: Partial<NewConsentEvent> = {}): Promise<ApiResponse> => {
    const rule = {
      contact_type: 'email_address',
      contact: 'ana@example.com',
      purpose_id: marketing,
      action: 'allow',
    };
    return await api.post('/v1/consent-events', {
      term_id: first.id,
      method: 'single_opt_in',
      rules: [rule],
      ...changes,
    });
  };
  const record = async (
    action: 'allow' | 'deny',
    contact: string,
    { term_id = first.id, ...rule }: RuleOptions = {},
  ): Promise<ConsentEvent> => {
    const whole = { contact_type: 'email_address', contact, purpose_id: marketing, action, ...rule } as const;
    const { status, json, text } = await post({ term_id, rules: [whole] });
    assert.equal(status, 201, text);
    return json;
  };
  return {
    ...owner,
    marketing,
    newsletter,
    term,
    first,
    post,
    recordAllow: async (contact, more) => await record('allow', contact, more),
    recordDeny: async (contact, more) => await record('deny', contact, more),
  };
}

let terms = 0;

async function insertTerm({ db }: TestService, instanceId: number, options: TermOptions): Promise<Term> {
  const { channels = ['mail', 'sms', 'push'], purposes = [], is_active = true, is_current = true } = options;
  const [row] = await db.query<Term & { [name: string]: number }>(
    `with term as (
       insert into consent_terms (instance_id, name, type, channels, is_active)
       values ($1, 'Term ' || $2, 'marketing', $3, $4) returning id
     ), purposes as (
       insert into consent_term_purposes (term_id, purpose_id) select term.id, unnest($5::bigint[]) from term
     )
     insert into consent_term_versions (term_id, version, body, is_current, published_at)
     select id, '1.0', $6, $7, now() from term returning term_id as id, id as version_id`,
    [
      instanceId,
      (terms += 1),
      channels,
      is_active,
      purposes,
      options.body ?? `I agree to be written to (${terms}).`,
      is_current,
    ],
  );
  return row as Term;
}
