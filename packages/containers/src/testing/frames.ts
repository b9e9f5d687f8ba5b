/** Returns a frame as the supervisor sends it. */
export function frame(kind: string, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export const EXITED = { status: 0, timedOut: false, outOfMemory: false, durationMs: 1, truncated: false, skipped: 0 };
export const EXIT = frame('x', JSON.stringify(EXITED));
export const READY = frame('h', '{"protocol":2}');
export const STARTED = frame('s', '1');
