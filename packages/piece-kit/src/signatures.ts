import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Signed {
  algorithm: 'sha1' | 'sha256' | 'sha512';
  secret: string | Uint8Array;
  /** What was signed, in its order: a body stays bytes. */
  content: readonly (string | Uint8Array)[];
  /** What the request says; of several, while a secret is replaced, one is enough; absent: it is none. */
  signature: string | readonly string[] | undefined;
  encoding: 'hex' | 'base64';
  /** What stands before the signature, as in `sha256=…`. */
  prefix?: string;
}

/** Whether a request was signed with the secret (HMAC, RFC 2104), compared in constant time. Without a secret nothing is. */
export function isSigned({ algorithm, secret, content, signature = [], encoding, prefix = '' }: Signed): boolean {
  if (secret.length === 0) return false;
  const hmac = createHmac(algorithm, secret);
  for (const part of content) hmac.update(part);
  const expected = prefix + hmac.digest(encoding);
  return [signature].flat().some((given) => isSameText(given, expected));
}

/** Takes as long whatever differs; how long the texts are is no secret. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a time that was signed (seconds since 1970) is at most so far away: an old request may be one that somebody replays. */
export function isRecent(seconds: string | number | undefined, now: number, withinSeconds: number): boolean {
  const at = /^\d{1,12}$/.test(String(seconds)) ? Number(seconds) * 1000 : NaN;
  return Math.abs(now - at) <= withinSeconds * 1000;
}
