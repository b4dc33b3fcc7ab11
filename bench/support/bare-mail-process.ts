import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';

/**
 * The least that takes in mail durably and passes it on, to see what Node and PostgreSQL could do on this machine: one
 * table, commits shared by the requests that come meanwhile, two of them under way. No account, no rule, no limit, no log, no
 * retry, nothing checked. It ends with its standard input.
 */
interface Mail {
  id: number;
  recipient: string;
  content: Buffer;
  answer: () => void;
}

const relay_to = process.argv[2];
const relayConnections = 20;
const markEveryMs = 20;

const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-bare-'));
const postgres = await openEmbeddedPostgres({ data_dir, durable: true });
const clients = [new Client(postgres.connection), new Client(postgres.connection)];
for (const client of clients) await client.connect();
await clients[0]
  ?.query(`create table bare (id bigint primary key, recipient text, content bytea, is_sent boolean default false);
  alter table bare alter content set storage external`);

let lastId = 0;
let waiting: Mail[] = [];
let sent: number[] = [];
const free = [...clients];

function accept(recipient: string, content: Buffer, answer: () => void): void {
  waiting.push({ id: (lastId += 1), recipient, content, answer });
  setImmediate(() => void commit());
}

const insert =
  'insert into bare (id, recipient, content) select * from unnest($1::bigint[], $2::text[], $3::bytea[])';

async function commit(): Promise<void> {
  const client = waiting.length > 0 ? free.pop() : undefined;
  if (!client) return;
  const batch = waiting;
  waiting = [];
  const columns = [
    batch.map(({ id }) => id),
    batch.map(({ recipient }) => recipient),
    batch.map(({ content }) => content),
  ];
  await client.query({ name: 'insert', text: insert, values: columns });
  free.push(client);
  for (const { answer } of batch) answer();
  if (relay_to !== undefined) for (const mail of batch) relay(mail);
  void commit();
}

setInterval(() => void markSent(), markEveryMs);

async function markSent(): Promise<void> {
  const client = sent.length > 0 ? free.pop() : undefined;
  if (!client) return;
  const ids = sent;
  sent = [];
  await client.query({
    name: 'mark',
    text: 'update bare set is_sent = true where id = any ($1::bigint[])',
    values: [ids],
  });
  free.push(client);
  void commit();
}

const line: Mail[] = [];
const idle: ((mail: Mail) => void)[] = [];
let open = 0;

function relay(mail: Mail): void {
  const send = idle.pop();
  if (send) return send(mail);
  line.push(mail);
  if (open < relayConnections) openConnection();
}

function openConnection(): void {
  open += 1;
  const [host = '', port = ''] = (relay_to ?? '').split(':');
  const socket = connect(Number(port), host).setNoDelay();
  let present: Mail | undefined;
  let isGreeted = false;
  const send = (mail: Mail): void => {
    present = mail;
    socket.write(`MAIL FROM:<a@b.test>\r\nRCPT TO:<${mail.recipient}>\r\nDATA\r\n`);
  };
  const next = (): void => {
    const mail = line.shift();
    if (mail) send(mail);
    else idle.push(send);
  };
  onLines(socket, (reply) => {
    if (reply[3] === '-') return;
    if (reply.startsWith('220')) socket.write('EHLO bare\r\n');
    else if (!isGreeted) {
      isGreeted = true;
      next();
    } else if (reply.startsWith('354') && present) {
      socket.cork();
      socket.write(present.content);
      socket.write('.\r\n');
      socket.uncork();
    } else if (present && reply.startsWith('250 2.0.0')) {
      sent.push(present.id);
      present = undefined;
      next();
    }
  });
  socket.on('close', () => {
    open -= 1;
    const place = idle.indexOf(send);
    if (place !== -1) idle.splice(place, 1);
  });
}

function onLines(socket: Socket, take: (line: string) => void): void {
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString('latin1')).split('\r\n');
    text = lines.pop() ?? '';
    for (const each of lines) take(each);
  });
}

const replies: Record<string, string> = {
  EHLO: '250-bare\r\n250-AUTH PLAIN\r\n250 PIPELINING\r\n',
  AUTH: '235 2.7.0 in\r\n',
  DATA: '354 go on\r\n',
};
const endOfData = Buffer.from('\r\n.\r\n');

function serveSmtp(socket: Socket): void {
  let buffer: Buffer = Buffer.alloc(0);
  let recipient = '';
  let isData = false;
  socket.setNoDelay();
  socket.write('220 bare ESMTP\r\n');
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf(isData ? endOfData : '\r\n');
      if (end === -1) return;
      if (isData) {
        accept(recipient, buffer.subarray(0, end + 2), () => socket.write('250 2.0.0 kept\r\n'));
        buffer = buffer.subarray(end + endOfData.length);
        isData = false;
        continue;
      }
      const command = buffer.toString('latin1', 0, end);
      buffer = buffer.subarray(end + 2);
      const verb = command.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') recipient = command.slice(command.indexOf('<') + 1, command.indexOf('>'));
      isData = verb === 'DATA';
      if (verb === 'QUIT') socket.end('221 2.0.0 bye\r\n');
      else socket.write(replies[verb] ?? '250 2.0.0 ok\r\n');
    }
  });
}

const smtp = createServer(serveSmtp);
const http = createHttpServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { to, html } = JSON.parse(Buffer.concat(chunks).toString()) as {
      to: { email: string }[];
      html: string;
    };
    accept(to[0]?.email ?? '', Buffer.from(html), () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"msg_id":"bare"}');
    });
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

console.log(JSON.stringify({ http_port: await listen(http), smtp_port: await listen(smtp) }));
process.stdin.resume().on('end', () => void stop());

async function stop(): Promise<void> {
  for (const client of clients) await client.end();
  await postgres.stop();
  await rm(data_dir, { recursive: true, force: true });
  process.exit();
}
