-- The answers to sends that named an Idempotency-Key, written in the transaction of the send: a repeated call gets the first answer.
-- Digests stand for the key and the body, since callers put addresses in both.
create table idempotency_keys (
  instance_id bigint not null,
  -- Of the operation and the key.
  key_digest uuid not null,
  body_digest uuid not null,
  answer text not null,
  -- Refusals of single mails may repeat what the caller wrote, such as an address: an erasure looks into these answers only.
  has_errors boolean not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, key_digest)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
create index idempotency_keys_errors on idempotency_keys (instance_id) where has_errors;
