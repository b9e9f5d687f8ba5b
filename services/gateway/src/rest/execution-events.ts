import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionEvents } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { currentContext, runInContext } from '@drawbridge/rpc';
import { type Request } from 'express';

const LOOK_MS = 500;
/** Interval of keep-alive messages, because proxies close idle connections. */
const KEEP_ALIVE_MS = 10_000;
/** Maximum duration of a stream. A client connects again if its run lasts longer. */
const LASTS_MS = 90_000;
const EVENT_ID = /^\d{1,9}$/;

/**
 * Returns the events of a run as a stream, which ends with the run. It also ends when the process accepts no further requests and after LASTS_MS; the
 * client then connects again with `Last-Event-ID`. Reads the next lines from the execution service only when the client has read the previous lines,
 * so that a slow client does not fill the memory. Rejects with the error of the first read.
 */
export async function executionEvents(
  request: Request,
  readAfter: (after: number) => Promise<ExecutionEvents>,
): Promise<Readable> {
  const { res } = request;
  const draining: AbortSignal | undefined = request.app.locals['draining'];
  const closed = new AbortController();
  res?.once('close', () => closed.abort());
  const signal = draining ? AbortSignal.any([closed.signal, draining]) : closed.signal;
  const context = currentContext()!;
  const first = await readAfter(lastEventId(request));

  async function* events(): AsyncGenerator<string> {
    const endsAt = performance.now() + LASTS_MS;
    let [after, sentAt] = [lastEventId(request), performance.now()];
    yield 'retry: 1000\n\n';
    for (let read = first; ; read = await runInContext(context, () => readAfter(after))) {
      for (const { number, level, text } of read.lines) yield toEvent('console', { level, text }, number);
      after = read.lines.at(-1)?.number ?? after;
      if (read.ended) return yield toEvent('end', toEnd(read.ended));
      const now = performance.now();
      if (read.lines.length > 0) sentAt = now;
      else if (now - sentAt > KEEP_ALIVE_MS) yield ': the run is under way\n\n';
      if (now - sentAt > KEEP_ALIVE_MS) sentAt = now;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || performance.now() > endsAt) return;
    }
  }
  const stream = Readable.from(events(), { objectMode: false, highWaterMark: 1 });
  stream.on('error', () => res?.destroy());
  closed.signal.addEventListener('abort', () => stream.destroy(), { once: true });
  return stream;
}

/** Returns the number of the last line that the client received, or 0. */
function lastEventId(request: Request): number {
  const id = request.get('last-event-id') ?? '';
  return EVENT_ID.test(id) ? Number(id) : 0;
}

/** Returns an event with its data on one line, because JSON contains no line break. */
function toEvent(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const toEnd = ({ status, durationMs }: NonNullable<ExecutionEvents['ended']>) => ({ status, durationMs });
