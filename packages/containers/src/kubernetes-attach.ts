import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import type { ReadAccess } from './kubernetes-access.js';
import { KubernetesError, unreachable } from './kubernetes-errors.js';

export interface AttachedStreams {
  /** Destroying it closes the connection, which ends the standard input of the container. */
  input: Writable;
  /** Standard output. It ends when the container exits or the connection is lost. */
  output: Readable;
}

/** Each message starts with a byte that names its stream. Version 5 can also close the input, which this client does not use. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const CHANNEL = { input: 0, output: 1, errors: 2, status: 3 };
const HANDSHAKE_MS = 10_000;
/** API servers send at most 32 KiB in one message. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Output that waits for its reader. Beyond it the connection is paused, so that the container waits. */
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_ERROR_BYTES = 4_096;
/** A connection that is idle between two runs is closed by load balancers, and its loss would otherwise stay unknown. */
const PING_MS = 20_000;

export interface AttachRequest {
  path: string;
  query: Record<string, string>;
  purpose: string;
  signal: AbortSignal;
  pingMs?: number;
}

/** Connects to the streams of a running container. Throws a KubernetesError; its status is 401 if the token expired meanwhile. */
export async function attach(readAccess: ReadAccess, request: AttachRequest): Promise<AttachedStreams> {
  const { path, query, purpose, signal, pingMs = PING_MS } = request;
  const { url, ca, token } = await readAccess();
  const target = new URL(path, url.replace(/^http/, 'ws'));
  target.search = new URLSearchParams(query).toString();
  const socket = new WebSocket(target, PROTOCOLS, {
    headers: { authorization: `Bearer ${token}` },
    ...{ ca, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false },
  });
  // Before the handshake ends, because output can arrive together with its response.
  const streams = toStreams(socket);
  const refused = new Promise<never>((_, reject) => {
    socket.once('unexpected-response', (_request: unknown, { statusCode: status = 0 }: IncomingMessage) =>
      reject(new KubernetesError({ purpose, status, reason: 'the API server refused the connection' })),
    );
  });
  try {
    await Promise.race([refused, once(socket, 'open', { signal })]);
  } catch (error) {
    streams.input.destroy();
    signal.throwIfAborted();
    throw error instanceof KubernetesError ? error : unreachable(purpose, reasonOf(error));
  }
  keepAlive(socket, pingMs);
  return streams;
}

/** The library reports a failed handshake, such as a server without the protocols, as an error without a code. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && !('code' in error) ? error.message : error;
}

function toStreams(socket: WebSocket): AttachedStreams {
  const output = new PassThrough({ highWaterMark: MAX_WAITING_BYTES });
  const input = new Writable({
    write: (chunk: Buffer, _encoding, done) => sendPieces(socket, chunk, done),
    final(done) {
      socket.close();
      done();
    },
    destroy(error, done) {
      socket.terminate();
      done(error);
    },
  });
  let errorBytesLeft = MAX_ERROR_BYTES;
  const take = (channel: number | undefined, bytes: Buffer): void => {
    if (channel === CHANNEL.output && bytes.length > 0 && !output.write(bytes)) socket.pause();
    if (channel === CHANNEL.errors) errorBytesLeft -= bytes.length;
    if (errorBytesLeft < 0 || channel === undefined || channel > CHANNEL.status) socket.terminate();
    // The status is the last message: the container exited, or the API server lost it. The state of the pod has the reason.
    if (channel === CHANNEL.status && bytes.length > 0) socket.terminate();
  };
  output.on('drain', () => socket.resume());
  output.on('close', () => socket.terminate());
  socket.on('message', (data: Buffer, isBinary) => take(isBinary ? data[0] : undefined, data.subarray(1)));
  // The end of the output reports the failure.
  socket.on('error', () => undefined);
  input.on('error', () => undefined);
  socket.on('close', () => {
    output.end();
    input.destroy();
  });
  return { input, output };
}

/** Sends the bytes one message after the other, so that the connection buffers one message and not a copy of all of them. */
function sendPieces(socket: WebSocket, bytes: Buffer, done: (error?: Error | null) => void): void {
  if (socket.readyState !== WebSocket.OPEN) return done(new Error('The connection to the container is closed'));
  const piece = Buffer.concat([Buffer.of(CHANNEL.input), bytes.subarray(0, PIECE_BYTES)]);
  const rest = bytes.subarray(PIECE_BYTES);
  socket.send(piece, (error) => (error || rest.length === 0 ? done(error) : sendPieces(socket, rest, done)));
}

/** Ends a connection that answers no ping. A connection that is paused, because its output is read slowly, does not receive an answer. */
function keepAlive(socket: WebSocket, pingMs: number): void {
  let isAnswered = true;
  socket.on('pong', () => (isAnswered = true));
  const timer = setInterval(() => {
    if (socket.isPaused) return;
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, pingMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
