/**
 * The problem types of RFC 9457: what kind of error it is. Several codes share one type.
 * The key is the last segment of the `type` URI and of the page at /docs/errors/<slug>.
 */
export const problemTypes = {
  'bad-request': {
    status: 400,
    title: 'Bad request',
    about:
      'The request was refused before its content was looked at: malformed JSON, JSON that is too complex to be parsed (more than 20,000 values, in a batch 100,000, unless the operator set another number, 1,000 members of one object or 32 levels), a body that is not valid gzip, a broken percent-encoding, or a date that is no date. Correct the request; repeating it unchanged gives the same answer.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    about:
      'The caller could not be identified. The answer is the same for a missing header, a malformed, unknown, revoked or expired credential and an instance slug that does not go with it, so nothing can be learned from it. Check the Authorization header. X-Instance-Slug can be left out; if it is sent, it must be the slug of the instance that the key belongs to.',
  },
  'payment-required': {
    status: 402,
    title: 'Payment required',
    about:
      'The plan of the instance does not allow this send now: the limit of the period is reached or the subscription is not active.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    about:
      'The caller is known but may not do this: the API key lacks the scope, the user lacks the role, or the instance is disabled (code instance_disabled: its members can read and export).',
  },
  'ip-not-allowed': {
    status: 403,
    title: 'Source address not allowed',
    about:
      'The credentials are good, but the request came from an address that the instance or the credential does not allow. The address that counts is the public one, behind NAT or proxy.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    about:
      'The resource does not exist in this instance, or (code not_found) the route does not exist. A resource of another instance gives the same answer.',
  },
  'mail-outside-retention': {
    status: 404,
    title: 'Mail outside retention',
    about:
      'The identifier carries a reception date before the online retention of three months: the mail may have existed, but is no longer kept online.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    about: 'The path exists, but not for this HTTP method. The Allow header lists the methods it takes.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    about: 'The request did not arrive completely within the time the server waits for one.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    about:
      'The request is well formed but contradicts the present state: something exists already, or a business rule does not hold. The code names the rule.',
  },
  'request-too-large': {
    status: 413,
    title: 'Request too large',
    about:
      'The body, its decompressed form, one of its files, or the message assembled from it is over the maximum. When the route has one limit for the body, max_bytes tells it.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    about:
      'The Content-Type or Content-Encoding of the body is not one this route takes, which is usually application/json, optionally with gzip.',
  },
  'validation-error': {
    status: 422,
    title: 'Validation error',
    about:
      'One or more values break the rules of the operation. errors[] lists every one of them at once, each with a JSON Pointer to the value.',
  },
  'rate-limit-exceeded': {
    status: 429,
    title: 'Rate limit exceeded',
    about: 'Too much in too little time. Wait for the seconds in Retry-After.',
  },
  'request-header-fields-too-large': {
    status: 431,
    title: 'Request header fields too large',
    about: 'The header section of the request is larger than the server accepts.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    about: 'Something failed on our side. Report it with the trace_id of the answer.',
  },
  'service-unavailable': {
    status: 503,
    title: 'Service unavailable',
    about:
      'The service cannot do this right now, for example while its database is out of reach. Try again shortly.',
  },
} as const;

export type ProblemSlug = keyof typeof problemTypes;
