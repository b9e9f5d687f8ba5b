import { type IncomingHttpHeaders } from 'node:http';
import { type Cancellation, inClientSpan } from '@drawbridge/rpc';
import { type Dispatcher } from 'undici';
import { type Connection } from './connection-pool.js';
import { type EgressError, explainFailure, tooLarge } from './egress-error.js';
import { type Hop } from './request-and-redirects.js';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Set if the body was not read completely, so that the connection cannot be reused. */
  isCut?: boolean;
}

interface ExchangeOptions {
  connection: Connection;
  /** The path and query of the request after ORIGIN_MAP was applied. */
  path: string;
  maxBytes: number;
  headOnly?: boolean;
  /** Must abort with an EgressError as its reason. */
  limit: Cancellation;
  makeRoom?(signal: AbortSignal): Promise<void>;
}

/** Reading of a response that exceeds this size waits until `makeRoom` has reserved memory. */
export const LARGE_BYTES = 65_536;

/** Maximum number of bytes of a response in addition to its body: headers, trailers and chunk sizes. A normal response has far fewer. */
const FRAMING_BYTES = 65_536;

/**
 * Sends one request and reads the whole response. Rejects with an EgressError that contains the host and whether the request was sent. The span of
 * the request in a trace omits the path and query, which can contain a secret: https://opentelemetry.io/docs/specs/semconv/http/http-spans/.
 */
export function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const { method, url } = hop;
  const attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'url.scheme': url.protocol.slice(0, -1),
  };
  return inClientSpan({ name: method, attributes }, async (note) => {
    const answer = await dispatch(hop, options).catch((error: EgressError) => {
      note({ 'error.type': error.code });
      throw error;
    });
    note({ 'http.response.status_code': answer.status });
    return answer;
  });
}

function dispatch(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const { connection, path } = options;
  return new Promise((resolve, reject) => {
    const handler = new Exchange(hop.url.host, options, resolve, reject);
    if (handler.isSettled) return;
    const { method, headers, body } = hop;
    connection.client.dispatch({ path, method, headers, body }, handler);
  });
}

/** Uses undici's handler interface, because undici's `request` does not report whether the request was sent. */
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
    if (options.limit.aborted) this.stop();
    else options.limit.addEventListener('abort', this.stop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was aborted while it waited for a connection, so no byte was or will be written.
    if (this.isSettled) return controller.abort(this.options.limit.reason as EgressError);
    this.controller = controller;
    const { connection } = this.options;
    this.bytesBefore = connection.bytesRead;
    connection.onRead = this.count;
  }

  /** undici also calls this method for each 1xx response; the last call is for the final response. */
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

  /** Pauses reading until `makeRoom` resolves, so that the rest of the body stays on the server. */
  private makeRoom(controller: Dispatcher.DispatchController): void {
    const { makeRoom, maxBytes, limit } = this.options;
    if (!makeRoom) return;
    controller.pause();
    makeRoom(limit.signal).then(
      () => {
        this.body.reserve(Math.min(Number(this.headers['content-length'] ?? 0), maxBytes));
        controller.resume();
      },
      (error: Error) => controller.abort(error),
    );
  }

  /** Aborts if the server sends too much. Unlike the limit of the body, this counts 1xx responses, chunk extensions and trailers. */
  private count = (): void => {
    const { connection, maxBytes } = this.options;
    if (connection.bytesRead - this.bytesBefore <= 2 * maxBytes + FRAMING_BYTES) return;
    this.controller?.abort(tooLarge(maxBytes));
  };

  private stop = (): void => {
    const reason = this.options.limit.reason as EgressError;
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
    this.options.limit.removeEventListener('abort', this.stop);
  }
}

function toRecord(headers: IncomingHttpHeaders): Record<string, string> {
  const toText = (value: string | string[] = '') => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toText(value)]));
}

const FIRST_SIZE = 4_096;

/**
 * Copies incoming chunks into one buffer. A list of the chunks would also retain their network buffers and an object of a hundred bytes per chunk,
 * and the server determines the number of chunks.
 */
class GrowingBuffer {
  private bytes = Buffer.alloc(0);
  private used = 0;

  get size(): number {
    return this.used;
  }

  append(piece: Buffer): void {
    const size = this.used + piece.length;
    if (size > this.bytes.length) this.grow(Math.max(size, 2 * this.bytes.length, FIRST_SIZE));
    this.bytes.set(piece, this.used);
    this.used = size;
  }

  /** Grows the buffer to a known size once, to avoid further copies. */
  reserve(size: number): void {
    if (size > this.bytes.length) this.grow(size);
  }

  contents(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  private grow(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    larger.set(this.contents());
    this.bytes = larger;
  }
}
