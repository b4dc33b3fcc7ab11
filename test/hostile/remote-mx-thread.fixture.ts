import { parentPort, workerData } from 'node:worker_threads';
import { startRemoteMx, type RemoteMxOptions } from '../support/remote-mx.ts';

await startRemoteMx(workerData as RemoteMxOptions);
parentPort?.postMessage('listening');
