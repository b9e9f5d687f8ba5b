import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Connection } from './connection-pool.js';
import { tooLarge, type EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';
import { GrowingBuffer } from './growing-buffer.js';
import type { Hop } from './outgoing.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Its body was not read to the end: nothing else can be asked on its connection. */
  isCut?: boolean;
}

export interface ExchangeOptions {
  connection: Connection;
  /** What is asked for in place of the hop's path and query; the same without an origin map. */
  path: string;
  maxBytes: number;
  headOnly?: boolean;
  /** Aborts with an EgressError as its reason. */
  signal: AbortSignal;
  makeRoom?(signal: AbortSignal): Promise<void>;
}

/** A larger answer waits for `makeRoom`. */
export const LARGE_BYTES = 65_536;

/** Of an answer on the wire beside its body: headers, trailers and chunk sizes, which in an honest answer are far less. */
const FRAMING_BYTES = 65_536;

/** One request and its whole answer. Rejects with an EgressError that names the hop's host and tells whether it was sent. */
export function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const { connection, path } = options;
  return new Promise((resolve, reject) => {
    const handler = new Exchange(hop.url.host, options, resolve, reject);
    if (handler.isSettled) return;
    const { method, headers, body } = hop;
    connection.client.dispatch({ path, method, headers, body }, handler);
  });
}

/** undici's own `request` does not tell whether the request ever left; its handler interface does. */
class Exchange implements Dispatcher.DispatchHandler {
  isSettled = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Record<string, string> = {};
  private readonly body = new GrowingBuffer();
  private bytesBefore = 0;

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
    const { connection } = this.options;
    this.bytesBefore = connection.bytesRead;
    connection.onRead = this.count;
  }

  /** Called for each 1xx as well; the last call is the answer's. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = toRecord(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes } = this.options;
    const before = this.body.size;
    if (before + chunk.length > maxBytes) return controller.abort(tooLarge(maxBytes));
    this.body.append(chunk);
    if (before <= LARGE_BYTES && this.body.size > LARGE_BYTES) this.makeRoom(controller);
  }

  onResponseEnd(): void {
    this.settle();
    this.resolve({ status: this.status, headers: this.headers, body: this.body.contents() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Meanwhile the rest stays with the other side. */
  private makeRoom(controller: Dispatcher.DispatchController): void {
    const { makeRoom, maxBytes, signal } = this.options;
    if (!makeRoom) return;
    controller.pause();
    makeRoom(signal).then(
      () => {
        this.body.reserve(Math.min(Number(this.headers['content-length'] ?? 0), maxBytes));
        controller.resume();
      },
      (error: Error) => controller.abort(error),
    );
  }

  /** What never becomes a part of an answer (1xx, chunk extensions, trailers) is bounded too. */
  private count = (): void => {
    const { connection, maxBytes } = this.options;
    if (connection.bytesRead - this.bytesBefore <= 2 * maxBytes + FRAMING_BYTES) return;
    this.controller?.abort(tooLarge(maxBytes));
  };

  private stop = (): void => {
    const { reason } = this.options.signal;
    if (this.controller === undefined) this.fail(reason);
    else this.controller.abort(reason);
  };

  private fail(error: unknown): void {
    if (this.isSettled) return;
    this.settle();
    const { status, headers } = this;
    if (this.options.headOnly && status >= 200) {
      return this.resolve({ status, headers, body: Buffer.alloc(0), isCut: true });
    }
    this.reject(explainFailure(error, { host: this.host, sent: this.controller !== undefined }));
  }

  private settle(): void {
    this.isSettled = true;
    this.options.connection.onRead = undefined;
    this.options.signal.removeEventListener('abort', this.stop);
  }
}

function toRecord(headers: IncomingHttpHeaders): Record<string, string> {
  const toText = (value: string | string[] = '') => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toText(value)]));
}
