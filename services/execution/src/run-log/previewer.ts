import { availableParallelism } from 'node:os';
import { ApiError } from '@drawbridge/contracts';
import { type Action, type JsonObject } from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Background, currentContext } from '@drawbridge/rpc';
import { QueueFullError, slotRefused, WorkerLimitError, type WorkerPool, workerPool } from '@drawbridge/turns';
import { type Redactor } from '../redaction/redactor.js';
import { toPreview } from './preview.js';

/** In characters of JSON. A shorter input takes about 10 ms. */
const INLINE_CHARACTERS = 64 * 1024;
const LIMITS = { workers: Math.min(2, Math.max(1, availableParallelism() - 1)), waiting: 20, jobMs: 10_000 };
const WORKER = new URL('./preview-worker.js', import.meta.url);
const RETRY_SECONDS = 1;

export interface PreviewJob {
  input: JsonObject;
  /** Only the types of the action's properties: functions of a property cannot be posted to a thread. */
  props: Record<string, { type: string }>;
  secrets: readonly string[];
}

/** Builds previews of large inputs in a thread: redacting 10 MiB takes up to two seconds. */
export interface Previewer extends Background {
  /** Returns the result of `toPreview`. Throws RATE_LIMITED if too many large inputs of the organization wait, and TIMEOUT. */
  preview(orgId: string, input: JsonObject, how: { action: Pick<Action, 'props'>; redact: Redactor }): Promise<Preview>;
}

export function previewer(pool: WorkerPool<PreviewJob, Preview> = workerPool(WORKER, LIMITS)): Previewer {
  return {
    async preview(orgId, input, { action, redact }) {
      if (JSON.stringify(input).length <= INLINE_CHARACTERS) return toPreview(input, action, redact);
      const types = Object.entries(action.props).map(([key, { type }]) => [key, { type }]);
      const job = { input, props: Object.fromEntries(types), secrets: redact.secrets };
      return pool.run(orgId, job, currentContext()?.signal).catch(explained);
    },
    start: () => undefined,
    stop: () => pool.close(),
  };
}

function explained(error: unknown): never {
  if (error instanceof QueueFullError) {
    const message = `At most ${LIMITS.waiting} large inputs of an organization wait for their preview; try again in ${RETRY_SECONDS} s`;
    throw slotRefused(error, message, RETRY_SECONDS);
  }
  if (error instanceof WorkerLimitError) {
    const message = 'The preview for approvers could not be made in time, and nothing was run; send a smaller input';
    throw new ApiError('TIMEOUT', message, { cause: error });
  }
  throw error;
}
