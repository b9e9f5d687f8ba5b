import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { type MasterKeys } from './master-keys.js';

const VERSION = 1;
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** An encrypted secret. It can only be decrypted with the master key `masterKeyId`. */
export interface SealedCredential extends WrappedKey {
  sealed: Buffer<ArrayBuffer>;
}

/** An encrypted data key, and the id of the master key that encrypted it. */
export interface WrappedKey {
  wrappedKey: Buffer<ArrayBuffer>;
  masterKeyId: string;
}

/**
 * The row that a secret belongs to. It is authenticated with the ciphertext, so a ciphertext that was moved to another row or table cannot be
 * decrypted.
 */
export interface CredentialOwner {
  orgId: string;
  kind: 'connection' | 'oauth app' | 'webhook secret' | 'trigger source' | 'data key';
  id: string;
}

export interface Envelope {
  seal(plaintext: string, owner: CredentialOwner): SealedCredential;
  /** Decrypts a secret. Throws, without revealing the contents, if the ciphertext was modified, the owner differs or the master key is missing. */
  open(sealed: SealedCredential, owner: CredentialOwner): string;
  /** Creates a data key with which another service encrypts data. Only the caller receives its plaintext. */
  createKey(owner: CredentialOwner): WrappedKey & { key: Buffer };
  /** Decrypts a key that `createKey` returned. Throws the same errors as `open`. */
  openKey(wrapped: WrappedKey, owner: CredentialOwner): Buffer;
  /** Returns true if the master key decrypts the data key. Does not decrypt the secret itself. */
  unwraps(wrapped: WrappedKey, owner: CredentialOwner): boolean;
  /** Encrypts the data key with the current master key, without changing the data key. Throws the same errors as `open`. */
  rewrap(wrapped: WrappedKey, owner: CredentialOwner): WrappedKey;
}

/**
 * Implements envelope encryption: each plaintext is encrypted with a new 256-bit data key, and the data key is encrypted with the current master key,
 * both with AES-256-GCM (NIST SP 800-38D) and random 96-bit IVs. Replacing a master key only changes `wrappedKey`. Both fields have the format
 * `version (1 byte) | iv (12) | tag (16) | ciphertext`.
 */
export function envelope({ current, byId }: MasterKeys): Envelope {
  const masterKey = (id: string): KeyObject => byId.get(id) ?? throwMissing(id);
  const unwrap = ({ wrappedKey, masterKeyId }: WrappedKey, owner: CredentialOwner): Buffer =>
    decrypt(wrappedKey, masterKey(masterKeyId), boundTo('data key', owner));
  /** Encrypts the data key and overwrites its plaintext. */
  const wrap = (dataKey: Buffer, owner: CredentialOwner): WrappedKey => {
    const wrappedKey = encrypt(dataKey, masterKey(current), boundTo('data key', owner));
    dataKey.fill(0);
    return { wrappedKey, masterKeyId: current };
  };
  return {
    seal(plaintext, owner) {
      const dataKey = randomBytes(KEY_BYTES);
      const sealed = encrypt(Buffer.from(plaintext), dataKey, boundTo('credential', owner));
      return { sealed, ...wrap(dataKey, owner) };
    },

    open({ sealed, ...wrapped }, owner) {
      const plaintext = decrypt(sealed, toKey(unwrap(wrapped, owner)), boundTo('credential', owner));
      const text = plaintext.toString();
      plaintext.fill(0);
      return text;
    },

    createKey(owner) {
      const key = randomBytes(KEY_BYTES);
      return { key, ...wrap(Buffer.from(key), owner) };
    },

    openKey: unwrap,

    unwraps(wrapped, owner) {
      try {
        unwrap(wrapped, owner).fill(0);
        return true;
      } catch {
        return false;
      }
    },

    rewrap: (wrapped, owner) => wrap(unwrap(wrapped, owner), owner),
  };
}

/** Throws for a key that is no longer in MASTER_KEYS. */
function throwMissing(id: string): never {
  const problem = new Error(`MASTER_KEYS: key ${id} is missing, but a credential is encrypted with it`);
  throw Object.assign(problem, { code: 'MASTER_KEY_MISSING' });
}

function encrypt(plaintext: Buffer, key: CipherKey, bound: Buffer): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(bound);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

function decrypt(bytes: Buffer, key: KeyObject, bound: Buffer): Buffer {
  if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) throw new Error('A stored credential has an unknown format');
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const tag = bytes.subarray(1 + IV_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(bound).setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
}

/** Converts bytes to a KeyObject, which stores the key outside of the JavaScript heap, and overwrites the bytes. */
function toKey(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/**
 * Returns the additional authenticated data, which binds a ciphertext to its row. The parts contain no NUL, so different lists of parts never produce
 * the same bytes. The data for a connection omits `kind`, because credentials that were encrypted before other kinds existed must still be decrypted.
 */
function boundTo(purpose: 'credential' | 'data key', { orgId, kind, id }: CredentialOwner): Buffer {
  const parts = ['drawbridge', VERSION, purpose, orgId, id, ...(kind === 'connection' ? [] : [kind])];
  return Buffer.from(parts.join('\0'));
}
