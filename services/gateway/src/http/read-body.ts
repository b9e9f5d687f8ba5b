import { type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, invalid } from '@drawbridge/contracts';
import { type Request } from 'express';
import { slotsOf } from '../admission/request-slots.js';

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 4_096;
/** A larger body needs an additional slot until its response, which limits the memory that large bodies occupy. */
export const LARGE_BYTES = 65_536;
/** A body must arrive with at least 1,000 bytes in 10 s. No real network is slower, so a slower client occupies a connection on purpose. */
const PACE_MS = 10_000;
const PACE_BYTES = 1_000;

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a request body and decompresses it. Throws VALIDATION_ERROR: 413 if it is larger than `limit` after decompression, 400 if it does not match
 * its Content-Encoding or ends early. Throws TIMEOUT (408) if it arrives too slowly.
 */
export async function readBody(request: Request, { limit, makeRoom = noRoom }: Reading): Promise<Buffer> {
  const decoder = decoderOf(request);
  if (!decoder && Number(request.get('content-length')) > limit) throw bodyTooLarge(limit);
  if (request.get('expect')) request.res?.writeContinue();
  const small = Math.min(limit, LARGE_BYTES);
  if (!decoder && (await hasArrived(request, small))) return request.read() ?? NOTHING;
  const pace = minimumPace(request);
  const wait = async (): Promise<void> => {
    pace.pause();
    await makeRoom();
    pace.resume();
  };
  try {
    return await Promise.race([collect(request, { decoder, limit, makeRoom: wait }), pace.failure]);
  } finally {
    pace.end();
    if (decoder) request.unpipe(decoder);
    decoder?.destroy();
    request.removeAllListeners('data').resume();
  }
}

/**
 * Returns whether a small body has arrived. Most bodies arrive together with the headers, and are parsed before the next iteration of the event loop.
 * The wait for it costs less than the listeners and the timer of a slower body.
 */
async function hasArrived(request: Request, most: number): Promise<boolean> {
  if (!request.complete) await new Promise(setImmediate);
  return request.complete && request.readableLength <= most;
}

/**
 * Reads a small body. The request frees its slots during the read, so that a client that sends slowly does not delay other clients of its network.
 */
export function readBodyOutside(request: Request, limit: number): Promise<Buffer> {
  return slotsOf(request.res!).outside(() => readBody(request, { limit }));
}

interface Reading {
  /** Size in bytes after decompression. */
  limit: number;
  /** Called once for a large body. Reading continues when the promise resolves. */
  makeRoom?(): Promise<void>;
}

const noRoom = async (): Promise<void> => undefined;

export function bodyTooLarge(limit: number): ApiError {
  return new ApiError('VALIDATION_ERROR', `The body is larger than ${limit / 1_048_576} MiB`, { status: 413 });
}

function decoderOf(request: Request): Transform | undefined {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const open = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!open) throw invalid({ 'Content-Encoding': 'must be gzip, deflate or br, or absent' });
  return open();
}

/** Copies all chunks into one growing buffer. A chunk may be a single byte, and one object per chunk would need a hundred times the memory. */
function collect(
  request: Request,
  { decoder, limit, makeRoom }: Required<Reading> & { decoder?: Transform },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source = decoder ? request.pipe(decoder) : request;
    let bytes: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, Number(request.get('content-length') ?? FIRST_BYTES)));
    let length = 0;
    // The end of a body that has arrived completely is emitted although its stream is paused, so the end waits for the room, too.
    let room = Promise.resolve();
    const take = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (needed > limit) return reject(bodyTooLarge(limit));
      if (needed > bytes.length) bytes = Buffer.concat([bytes], Math.min(limit, Math.max(needed, bytes.length * 2)));
      if (length <= LARGE_BYTES && needed > LARGE_BYTES) {
        source.pause();
        room = makeRoom();
        room.then(() => source.resume(), reject);
      }
      length += chunk.copy(bytes, length);
    };
    const breakOff = (): void => reject(new ApiError('VALIDATION_ERROR', 'The request body ended early'));
    if (request.closed) return breakOff(); // It will emit no other event.
    request.once('close', () => request.complete || breakOff()).once('error', breakOff);
    decoder?.once('error', () => reject(invalid({ 'Content-Encoding': 'does not match the encoding of the body' })));
    source.on('data', take).once('end', () => room.then(() => resolve(bytes.subarray(0, length)), reject));
  });
}

function minimumPace({ socket }: Request) {
  let before = socket.bytesRead;
  let isPaused = false;
  let isEnded = false; // `refresh()` would start a timer again that `end` has cleared
  let timer: NodeJS.Timeout | undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (!isPaused && socket.bytesRead - before < PACE_BYTES) reject(tooSlow());
      before = socket.bytesRead;
    }, PACE_MS);
  });
  return {
    failure,
    /** Pauses the check, because no bytes arrive while the gateway does not read. */
    pause: () => void (isPaused = true),
    resume() {
      if (!isEnded) timer?.refresh();
      isPaused = false;
      before = socket.bytesRead;
    },
    end() {
      isEnded = true;
      clearInterval(timer);
    },
  };
}

function tooSlow(): ApiError {
  return new ApiError(
    'TIMEOUT',
    'The body arrives too slowly. Send it again over a faster connection, or in smaller parts',
    { status: 408 },
  );
}
