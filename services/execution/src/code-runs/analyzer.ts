import { type Background, currentContext } from '@drawbridge/rpc';
import { type CodeError } from '@drawbridge/sandbox';
import { LARGE_INPUTS, QueueFullError, throwRefused, type WorkerPool, workerPool } from '@drawbridge/turns';
import { type Analysis, type AnalyzedTool } from '@drawbridge/code-mode';

const WORKER = new URL('./analysis-worker.js', import.meta.url);
const REFUSED = { work: 'the analysis of their code', late: 'The code could not be analyzed in time' };
const UNREADABLE: CodeError = {
  code: 'SYNTAX_ERROR',
  message:
    'The code could not be analyzed: it is nested too deeply, or the analysis takes too long. Write a shorter program.',
};

export interface AnalysisJob {
  code: string;
  tools: readonly AnalyzedTool[];
}

export type Analyzed = { analysis: Analysis } | { error: CodeError };

/** Analyzes programs in a worker thread, because parsing 256 KiB takes up to a second. */
export interface Analyzer extends Background {
  /**
   * Returns an error for code that cannot be parsed. Throws RATE_LIMITED if too many programs of the organization wait, and TIMEOUT if the request is
   * canceled.
   */
  analyze(orgId: string, job: AnalysisJob): Promise<Analyzed>;
}

export function analyzer(pool: WorkerPool<AnalysisJob, Analyzed> = workerPool(WORKER, LARGE_INPUTS)): Analyzer {
  return {
    async analyze(orgId, job) {
      const signal = currentContext()?.signal;
      return pool.run(orgId, job, signal).catch((error: unknown) => {
        if (error instanceof QueueFullError || signal?.aborted) return throwRefused(error, REFUSED);
        return { error: UNREADABLE };
      });
    },
    start: () => undefined,
    stop: () => pool.close(),
  };
}
