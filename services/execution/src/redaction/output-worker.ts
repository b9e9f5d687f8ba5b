import { parentPort } from 'node:worker_threads';
import { type OutputJob } from './output-redactor.js';
import { redactor } from './redactor.js';

parentPort!.on('message', ({ json, secrets }: OutputJob) => parentPort!.postMessage(redactor(secrets).output(json)));
