import { action, type Answer, piece, type Piece, type RunContext, type SendRequest } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { runPiece } from '../running/run-piece.js';
import { inProcessWorkers } from './in-process-worker.js';

export const ACT = { kind: 'action', actionName: 'act', runId: 'run' } as const;

/** Returns a fake HTTP client that records the requests and responds with the JSON of `said` for their path. */
export function thirdParty(said: Record<string, unknown>) {
  const asked: string[] = [];
  const send = async ({ method, url }: SendRequest): Promise<Answer> => {
    const { pathname } = new URL(url);
    asked.push(`${method} ${pathname}`);
    const body = said[pathname];
    if (body instanceof Error) throw body;
    const bytes = Buffer.from(JSON.stringify(body));
    return { status: 200, headers: { 'content-type': 'application/json' }, body: bytes, url };
  };
  return { asked, send };
}

export type WorkOf = (get: (path: string) => Promise<any>) => Promise<any>;

export function declare(run: (context: RunContext<object>) => Promise<any>, isolated = false): Piece {
  return piece({
    ...{ name: 'tested', displayName: 'Tested', description: 'Tested' },
    ...{ categories: ['UTILITIES'], origin: 'https://x.example' },
    actions: { act: action({ displayName: 'Act', description: 'Acts', category: 'read', isolated, props: {}, run }) },
  });
}

/**
 * Runs the work like `runPiece`: on the main thread, and after a large response again in a worker. Returns in `moved` the number of requests that
 * were sent before the restart.
 */
export async function run(work: WorkOf, said: Record<string, unknown>, isolated = false) {
  const declared = declare(({ http }) => work((path) => http.json({ method: 'GET', path })), isolated);
  Object.assign(pieces, { tested: declared });
  const { asked, send } = thirdParty(said);
  const moved: number[] = [];
  const ended = await runPiece({
    ...{ piece: declared, work: ACT, input: {}, redact: redactor(['secret']), send },
    runInWorker: inProcessWorkers(moved),
  });
  const output: unknown = ended.outputJson && JSON.parse(ended.outputJson);
  return { asked, moved, output, failure: ended.failure };
}
