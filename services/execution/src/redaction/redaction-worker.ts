import { parentPort } from 'node:worker_threads';
import { type OutputJob } from './redact-off-thread.js';
import { redactor } from './redactor.js';

parentPort!.on('message', ({ json, secrets }: OutputJob) => parentPort!.postMessage(redactor(secrets).output(json)));
