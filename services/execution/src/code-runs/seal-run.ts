import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type CodeRun } from './code-run.js';

const VERSION = 1;
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** The state from which a run continues: its code if it has never paused, otherwise a snapshot of the sandbox. */
export type RunSource = { code: string } | { snapshot: Uint8Array };
const KIND = { code: 0, snapshot: 1 } as const;

type Owner = Pick<CodeRun, 'id' | 'orgId' | 'workspaceId'>;

/** Converts bytes to a key and overwrites the bytes, so that the key does not stay in memory twice. */
export function toDataKey(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/**
 * Encrypts the state of a run with AES-256-GCM (NIST SP 800-38D) and random 96-bit IVs: `version (1 byte) | iv (12) | tag (16) | ciphertext`. Random
 * IVs are safe, because each data key encrypts only the few states of one run.
 */
export function sealRun(source: RunSource, key: KeyObject, owner: Owner): Buffer {
  const [kind, content] = 'code' in source ? [KIND.code, Buffer.from(source.code)] : [KIND.snapshot, source.snapshot];
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(owner));
  const ciphertext = Buffer.concat([cipher.update(Buffer.of(kind)), cipher.update(content), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts the state of a run. Throws, without revealing the contents, if the ciphertext was modified or belongs to another run. */
export function openRun(sealed: Buffer, key: KeyObject, owner: Owner): RunSource {
  if (sealed[0] !== VERSION || sealed.length <= HEADER_BYTES) throw new Error('A stored run has an unknown format');
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(owner)).setAuthTag(tag);
  const content = Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
  const body = content.subarray(1);
  return content[0] === KIND.code ? { code: body.toString() } : { snapshot: body };
}

/**
 * Returns the additional authenticated data, which binds a ciphertext to its run. The parts contain no NUL, so different lists of parts never produce
 * the same bytes.
 */
function boundTo({ orgId, workspaceId, id }: Owner): Buffer {
  return Buffer.from(['drawbridge', VERSION, 'code run', orgId, workspaceId, id].join('\0'));
}
