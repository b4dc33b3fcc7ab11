import { newId } from '../base/ids.ts';
import type { TestService } from '../../test/support/test-service.ts';

interface ReceivedRow {
  instance_id: number;
  domain_id: number;
  route_id?: number | null;
  action?: 'webhook' | 'forward' | 'store';
  recipient: string;
  mail_from?: string;
  raw?: string;
  authentication?: object;
  automation?: object;
  in_reply_to_mail_id?: string;
}

export const receivedText = [
  'From: Ana <ana@example.net>',
  'To: ventas@shop.example.test',
  'Subject: Consulta',
  'Date: Mon, 03 Nov 2025 14:02:11 -0300',
  'Message-ID: <consulta.1@example.net>',
  'X-Chq-Category: sales',
  'Return-Path: <other@example.net>',
  '',
  '¿Tienen stock?',
  '',
].join('\r\n');

/** A received mail as it is once it was parsed. */
export async function addReceived({ db }: TestService, row: ReceivedRow): Promise<string> {
  const { instance_id, domain_id, route_id = null, action = 'store', recipient } = row;
  const { mail_from = 'ana@example.net', raw = receivedText, authentication, automation } = row;
  const now = new Date();
  const [id, source] = [newId(now), newId(now)];
  await db.query('insert into received_sources (id, instance_id, raw, received_at) values ($1, $2, $3, $4)', [
    source,
    instance_id,
    Buffer.from(raw),
    now,
  ]);
  await db.query(
    `insert into received_mails (id, instance_id, source_id, domain_id, route_id, action, mail_from, recipient, helo, size_bytes,
       received_at, state, parsed_at, subject, from_address, authentication, automation, in_reply_to_mail_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'mx.example.net', $9, $10, 'parsed', $10, 'Consulta', $7, $11, $12, $13)`,
    [
      id,
      instance_id,
      source,
      domain_id,
      route_id,
      action,
      mail_from,
      recipient,
      raw.length,
      now,
      JSON.stringify(authentication ?? null),
      JSON.stringify(automation ?? null),
      row.in_reply_to_mail_id ?? null,
    ],
  );
  return id;
}
