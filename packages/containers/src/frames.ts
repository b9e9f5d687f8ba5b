import type { Readable } from 'node:stream';
import type { Language } from './driver.js';

/** The protocol version of deploy/sandbox/supervisor.py. */
const PROTOCOL = 2;
/** The byte that starts the code of a request. Until the supervisor has read it, no code runs. */
export const START_CODE = Buffer.of(1);
const HEADER_BYTES = 5;
const MAX_PAYLOAD = 65_536;

export interface RequestHeader {
  language: Language;
  code: string;
  input: unknown;
  timeoutMs: number;
  maxOutputBytes: number;
  /** Set to return the created and changed files of /files. */
  collect: boolean;
}

export type Frame =
  | { type: 'ready' }
  /** The files are unpacked, and the supervisor waits for START_CODE. */
  | { type: 'started' }
  /** For `deleted`, the bytes are the name of one deleted file. */
  | { type: 'stdout' | 'stderr' | 'files' | 'deleted'; bytes: Buffer }
  | { type: 'exit'; exit: ExitFrame };

export interface ExitFrame {
  /** The exit code of the program. A negative value is the number of the signal that ended it. */
  status: number;
  timedOut: boolean;
  outOfMemory: boolean;
  durationMs: number;
  truncated: boolean;
  /** Number of entries of the mount that are not regular files with UTF-8 names. */
  skipped: number;
}

/** Thrown if a container violates the protocol or sends more than the limits allow. Code can cause this only for its own run. */
export class ProtocolError extends Error {}

export function toRequestBytes(header: RequestHeader, archive: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  return Buffer.concat([length(json), json, length(archive), archive]);
}

function length(bytes: Buffer): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(bytes.length);
  return prefix;
}

/** The remaining allowance of a container. It is set again for each run. */
export interface FrameLimit {
  bytesLeft: number;
  framesLeft: number;
}

/** Yields the frames of one container, over all its runs. Throws a ProtocolError beyond the limit. */
export async function* readFrames(output: Readable, limit: FrameLimit): AsyncGenerator<Frame> {
  let pending: Buffer[] = [];
  let size = 0;
  let needed = HEADER_BYTES;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    limit.bytesLeft -= chunk.length;
    if (limit.bytesLeft < 0) throw new ProtocolError('The container sent more than a run may');
    pending.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let bytes = Buffer.concat(pending);
    for (;;) {
      needed = neededFor(bytes);
      if (bytes.length < needed) break;
      if (limit.framesLeft-- <= 0) throw new ProtocolError('The container sent more frames than a run may');
      yield toFrame(bytes.toString('latin1', 0, 1), bytes.subarray(HEADER_BYTES, needed));
      bytes = bytes.subarray(needed);
    }
    pending = [bytes];
    size = bytes.length;
  }
}

function neededFor(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const payload = bytes.readUInt32BE(1);
  if (payload > MAX_PAYLOAD)
    throw new ProtocolError(`A frame has ${payload} bytes, more than the maximum of ${MAX_PAYLOAD}`);
  return HEADER_BYTES + payload;
}

const DATA = { o: 'stdout', e: 'stderr', f: 'files', d: 'deleted' } as const;

function toFrame(kind: string, payload: Buffer): Frame {
  if (kind === 'o' || kind === 'e' || kind === 'f' || kind === 'd') return { type: DATA[kind], bytes: payload };
  if (kind === 's') return { type: 'started' };
  const value = toJson(payload);
  if (kind === 'h') {
    if (value['protocol'] !== PROTOCOL)
      throw new ProtocolError(
        `The sandbox image uses protocol ${Number(value['protocol'])}, but this version requires ${PROTOCOL}: build deploy/sandbox again`,
      );
    return { type: 'ready' };
  }
  if (kind === 'x') return { type: 'exit', exit: toExit(value) };
  throw new ProtocolError('The container sent an unknown type of frame');
}

function toJson(payload: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload.toString());
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The error of JSON.parse is dropped, because it quotes text that the code in the container may have written.
  }
  throw new ProtocolError('A frame is not JSON');
}

/** Checks every field, because code that took over its supervisor could send any value. */
function toExit(value: Record<string, unknown>): ExitFrame {
  const { status, timedOut, outOfMemory, durationMs, truncated, skipped } = value;
  const isValid =
    Number.isInteger(status) &&
    typeof timedOut === 'boolean' &&
    typeof outOfMemory === 'boolean' &&
    Number.isInteger(durationMs) &&
    typeof truncated === 'boolean' &&
    Number.isInteger(skipped);
  if (!isValid) throw new ProtocolError('The exit frame is not valid');
  return { status, timedOut, outOfMemory, durationMs, truncated, skipped } as ExitFrame;
}
