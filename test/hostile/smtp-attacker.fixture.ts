import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface SmtpAttack {
  /** As `host:port`, without TLS. */
  address: string;
  auth?: { username: string; password: string };
  to: string;
  /** With its dots stuffed. */
  message: Uint8Array;
  times: number;
}

const { address, auth, to, message, times } = workerData as SmtpAttack;

/** The reply to the message, or the first refusal before it. */
async function hand(): Promise<string> {
  const [host = '', port] = address.split(':');
  const login = Buffer.from(`\0${auth?.username}\0${auth?.password}`).toString('base64');
  const commands: (string | Uint8Array)[] = [
    'EHLO attacker.example\r\n',
    ...(auth ? [`AUTH PLAIN ${login}\r\n`] : []),
    'MAIL FROM:<attacker@example.com>\r\n',
    `RCPT TO:<${to}>\r\n`,
    'DATA\r\n',
    Buffer.concat([message, Buffer.from('\r\n.\r\n')]),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host, port: Number(port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    const reply = /^(?:\d{3}-.*\r\n)*(\d{3} .*)\r\n$/.exec(received)?.[1];
    if (reply === undefined) return;
    received = '';
    const next = commands.shift();
    if (next !== undefined && /^[23]/.test(reply)) socket.write(next);
    else {
      socket.destroy();
      resolve(reply);
    }
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the connection ended without a reply')));
  return await promise;
}

parentPort?.postMessage(await Promise.all(Array.from({ length: times }, hand)));
