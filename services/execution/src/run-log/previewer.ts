import { type Action, type JsonObject } from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Background, currentContext } from '@drawbridge/rpc';
import { LARGE_INPUTS, throwRefused, type WorkerPool, workerPool } from '@drawbridge/turns';
import { type Redactor } from '../redaction/redactor.js';
import { toPreview } from './preview.js';

/** Length of the input's JSON, in characters, up to which the preview is built on the main thread. This takes about 10 ms. */
const INLINE_CHARACTERS = 64 * 1024;
const WORKER = new URL('./preview-worker.js', import.meta.url);
const REFUSED = {
  work: 'their preview',
  late: 'The preview for approvers could not be built in time. Nothing was executed. Send a smaller input',
};

export interface PreviewJob {
  input: JsonObject;
  /** The types of the action's properties. The properties themselves contain functions, which cannot be sent to a thread. */
  props: Record<string, { type: string }>;
  secrets: readonly string[];
}

/** Builds previews of large inputs in a worker thread, because redacting 10 MiB takes up to two seconds. */
export interface Previewer extends Background {
  /** Returns the result of `toPreview`. Throws RATE_LIMITED if too many large inputs of the organization wait, and TIMEOUT. */
  preview(orgId: string, input: JsonObject, how: { action: Pick<Action, 'props'>; redact: Redactor }): Promise<Preview>;
}

export function previewer(pool: WorkerPool<PreviewJob, Preview> = workerPool(WORKER, LARGE_INPUTS)): Previewer {
  return {
    async preview(orgId, input, { action, redact }) {
      if (JSON.stringify(input).length <= INLINE_CHARACTERS) return toPreview(input, action, redact);
      const types = Object.entries(action.props).map(([key, { type }]) => [key, { type }]);
      const job = { input, props: Object.fromEntries(types), secrets: redact.secrets };
      return pool.run(orgId, job, currentContext()?.signal).catch((error: unknown) => throwRefused(error, REFUSED));
    },
    start: () => undefined,
    stop: () => pool.close(),
  };
}
