import { parentPort } from 'node:worker_threads';
import { type Action } from '@drawbridge/piece-kit';
import { redactor } from '../redaction/redactor.js';
import { toPreview } from './preview.js';
import { type PreviewJob } from './previewer.js';

parentPort!.on('message', ({ input, props, secrets }: PreviewJob) =>
  parentPort!.postMessage(toPreview(input, { props: props as Action['props'] }, redactor(secrets))),
);
