import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { MAX_VM_BYTES } from './limits.js';
import type { Used } from './messages.js';
import type { VmImage } from './vm.js';

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

const MAGIC = Buffer.from('DBVM');
const FORMAT = 1;
const CHECKSUM_BYTES = 32;
/** The magic number, the format (2 bytes) and the length of the description (4 bytes). Their checksum follows. */
const CHECKED_BYTES = MAGIC.length + 2 + 4;
const HEADER_BYTES = CHECKED_BYTES + CHECKSUM_BYTES;

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  constructor(
    readonly code: 'SNAPSHOT_DAMAGED' | 'SNAPSHOT_VERSION',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A call for which the code waits. */
export interface PendingCall {
  id: string;
  name: string;
  args: string;
}

export interface Snapshot {
  engine: string;
  image: VmImage;
  used: Used;
  pending: PendingCall[];
}

/**
 * Serializes a paused run. The bytes contain data of the code: encrypt and authenticate them before you store them. The checksum detects accidental
 * damage, not manipulation.
 */
export async function packSnapshot({ image, ...rest }: Snapshot): Promise<Uint8Array> {
  const { memory, ...addresses } = image;
  const description = Buffer.from(JSON.stringify({ ...rest, addresses }));
  const body = Buffer.concat([description, await compress(memory, { level: 1 })]);
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt16BE(FORMAT, 4);
  header.writeUInt32BE(description.length, 6);
  checksumOf(header, body).copy(header, CHECKED_BYTES);
  return Buffer.concat([header, body]);
}

/**
 * Parses a snapshot. Throws SnapshotError if the bytes are not a complete snapshot (SNAPSHOT_DAMAGED), or are a snapshot of another version
 * (SNAPSHOT_VERSION).
 */
export async function unpackSnapshot(bytes: Uint8Array, engine: string): Promise<Snapshot> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < HEADER_BYTES || !data.subarray(0, 4).equals(MAGIC))
    throw damaged('The bytes are not a snapshot of a run');
  const format = data.readUInt16BE(4);
  if (format !== FORMAT) throw otherVersion(`format ${format}, and this version reads format ${FORMAT}`);
  const body = data.subarray(HEADER_BYTES);
  if (!checksumOf(data, body).equals(data.subarray(CHECKED_BYTES, HEADER_BYTES)))
    throw damaged('The snapshot is truncated or was changed');

  const length = data.readUInt32BE(6);
  const { addresses, ...rest } = toDescription(body.subarray(0, length));
  if (rest.engine !== engine) throw otherVersion(`the engine ${rest.engine}, and this version has ${engine}`);
  return { ...rest, image: { ...addresses, memory: await toMemory(body.subarray(length)) } };
}

interface Description extends Omit<Snapshot, 'image'> {
  addresses: Omit<VmImage, 'memory'>;
}

function toDescription(text: Buffer): Description {
  try {
    return JSON.parse(text.toString()) as Description;
  } catch (cause) {
    throw damaged('The description in the snapshot is not readable', cause);
  }
}

async function toMemory(compressed: Buffer): Promise<Uint8Array> {
  try {
    return new Uint8Array(await decompress(compressed, { maxOutputLength: MAX_VM_BYTES }));
  } catch (cause) {
    throw damaged('The memory in the snapshot is not readable', cause);
  }
}

function checksumOf(header: Buffer, body: Uint8Array): Buffer {
  return createHash('sha256').update(header.subarray(0, CHECKED_BYTES)).update(body).digest();
}

function damaged(message: string, cause?: unknown): SnapshotError {
  return new SnapshotError('SNAPSHOT_DAMAGED', message, { cause });
}

function otherVersion(what: string): SnapshotError {
  return new SnapshotError('SNAPSHOT_VERSION', `The snapshot has ${what}. Start the run again.`);
}
