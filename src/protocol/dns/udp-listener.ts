import type { RemoteInfo, Socket } from 'node:dgram';
import { answerTruncated } from './answer-query.ts';
import type { AnswerPacket } from './answer-query.ts';
import { isAnswerable } from './parse-query.ts';
import type { RateVerdict, ResponseRateLimit } from './response-rate-limit.ts';

export interface UdpOptions {
  answer: (packet: Buffer) => Promise<AnswerPacket | undefined>;
  rate_limit: ResponseRateLimit;
  /** Queries waiting for their lookup; beyond it they are dropped, and a resolver asks again. */
  max_pending: number;
  onLimited: (verdict: Exclude<RateVerdict, 'answer'>) => void;
  onSendError: (error: Error) => void;
}

/** Answers until the function returned is called; what is then still being looked up is not sent any more. */
export function serveUdp(socket: Socket, options: UdpOptions): () => void {
  let pending = 0;
  let stopped = false;

  function send(reply: AnswerPacket | undefined, remote: RemoteInfo): void {
    if (reply === undefined || stopped) return;
    socket.send(reply.packet, remote.port, remote.address, (error) => {
      if (error !== null) options.onSendError(error);
    });
  }

  async function respond(packet: Buffer, remote: RemoteInfo): Promise<void> {
    pending += 1;
    try {
      send(await options.answer(packet), remote);
    } finally {
      pending -= 1;
    }
  }

  socket.on('message', (packet, remote) => {
    if (stopped || remote.port === 0 || !isAnswerable(packet)) return;
    // Before the lookup, so that a flood costs no database work either.
    const verdict = pending >= options.max_pending ? 'drop' : options.rate_limit.decide(remote.address);
    if (verdict === 'answer') {
      void respond(packet, remote);
      return;
    }
    options.onLimited(verdict);
    if (verdict === 'truncate') send(answerTruncated(packet), remote);
  });
  return () => {
    stopped = true;
  };
}
