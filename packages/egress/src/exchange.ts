import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { tooLarge, type EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';
import type { Hop } from './outgoing.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface ExchangeOptions {
  dispatcher: Dispatcher;
  /** The address to use in place of the hop's URL; equal to it without an origin map. */
  reached: URL;
  maxBytes: number;
  /** Aborts with an EgressError as its reason. */
  signal: AbortSignal;
}

/** One request and its whole answer. Rejects with an EgressError that names the hop's host and tells whether it was sent. */
export function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const { dispatcher, reached } = options;
  return new Promise((resolve, reject) => {
    const handler = new Exchange(hop.url.host, options, resolve, reject);
    if (handler.isSettled) return;
    const { method, headers, body } = hop;
    dispatcher.dispatch(
      { origin: reached.origin, path: reached.pathname + reached.search, method, headers, body },
      handler,
    );
  });
}

/** undici's own `request` does not tell whether the request ever left; its handler interface does. */
class Exchange implements Dispatcher.DispatchHandler {
  isSettled = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Record<string, string> = {};
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly host: string,
    private readonly options: ExchangeOptions,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: EgressError) => void,
  ) {
    if (options.signal.aborted) this.stop();
    else options.signal.addEventListener('abort', this.stop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Stopped while it waited for its connection: nothing was written yet, and nothing will be.
    if (this.isSettled) return controller.abort(this.options.signal.reason);
    this.controller = controller;
  }

  /** Called for each 1xx as well; the last call is the answer's. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = toRecord(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    this.chunks.push(chunk);
    if (this.size > this.options.maxBytes) controller.abort(tooLarge(this.options.maxBytes));
  }

  onResponseEnd(): void {
    this.settle();
    this.resolve({ status: this.status, headers: this.headers, body: Buffer.concat(this.chunks, this.size) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private stop = (): void => {
    const { reason } = this.options.signal;
    if (this.controller === undefined) this.fail(reason);
    else this.controller.abort(reason);
  };

  private fail(error: unknown): void {
    if (this.isSettled) return;
    this.settle();
    this.reject(explainFailure(error, { host: this.host, sent: this.controller !== undefined }));
  }

  private settle(): void {
    this.isSettled = true;
    this.options.signal.removeEventListener('abort', this.stop);
  }
}

function toRecord(headers: IncomingHttpHeaders): Record<string, string> {
  const toText = (value: string | string[] = '') => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toText(value)]));
}
