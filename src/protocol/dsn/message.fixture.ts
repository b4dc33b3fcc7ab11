/** A message in CRLF lines, of a header and a body that are written with plain line ends. */
export function message(header: string, body: string): Buffer {
  const text = `${header.trim()}\nMIME-Version: 1.0\n\n${body.replace(/^\n/, '')}`;
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}

export type FixturePart = readonly [header: string, body: string];

/** A `multipart/report` with these parts; a part is its type, or its whole header, and its body. */
export function report(
  header: string,
  parts: readonly FixturePart[],
  reportType = 'delivery-status',
): Buffer {
  const boundary = 'B_0123456789/mx.example.net';
  const pieces = parts.map(
    ([head, body]) =>
      `--${boundary}\n${head.includes(':') ? head : `Content-Type: ${head}`}\n\n${body.replace(/^\n/, '')}\n`,
  );
  const type = `Content-Type: multipart/report; report-type=${reportType};\n\tboundary="${boundary}"`;
  return message(
    `${header.trim()}\n${type}`,
    `This is a MIME-encapsulated message.\n\n${pieces.join('')}--${boundary}--\n`,
  );
}

/** The mail that came back, as reports quote it. */
export const returned = `Return-Path: <bounce-0190a1b2c3d47e8f9a0b1c2d3e4f50610123456789abcdef@shop.example.com>
Received: by mx.chasqui.test with HTTP id 0190a1b2-c3d4-7e8f-9a0b-1c2d3e4f5061;
\tTue, 14 Jul 2026 10:00:00 +0000
X-Report-Abuse: <https://mail.chasqui.test/report/0190a1b2c3d47e8f9a0b1c2d3e4f5061fedcba9876543210>
From: Shop <hi@shop.example.com>
To: Ana <ana@example.net>
Subject: Delivery has failed to these recipients or groups
Message-ID: <0190a1b2@shop.example.com>

550 5.1.1 this is what the mail itself said
`;
