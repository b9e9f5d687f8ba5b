// Encodes the parameters of statements that write several rows: one array for each column, in the binary format of PostgreSQL (array_recv in its
// source code). pg sends arrays as text, which it escapes and PostgreSQL parses one character at a time. The parsing took an eighth of PostgreSQL's
// processor time for an action.

/** How the elements of one type are encoded. */
interface Encoding {
  /** The object id of the type in `pg_type`. */
  oid: number;
  /** Returns the number of bytes of a value. */
  size(value: unknown): number;
  write(buffer: Buffer, value: unknown, at: number): void;
}

const ENCODINGS = {
  boolean: fixed(16, 1, (buffer, value, at) => buffer.writeUInt8(toBit(value), at)),
  bytea: {
    oid: 17,
    size: (value) => requireBytes(value).length,
    write: (buffer, value, at) => buffer.set(value as Uint8Array, at),
  },
  bigint: fixed(20, 8, (buffer, value, at) => buffer.writeBigInt64BE(BigInt(requireInteger(value)), at)),
  int: fixed(23, 4, (buffer, value, at) => buffer.writeInt32BE(requireInteger(value), at)),
  text: {
    oid: 25,
    size: (value) => Buffer.byteLength(value as string),
    write: (buffer, value, at) => buffer.write(value as string, at),
  },
  float8: fixed(701, 8, (buffer, value, at) => buffer.writeDoubleBE(requireNumber(value), at)),
  timestamptz: fixed(1184, 8, (buffer, value, at) => buffer.writeBigInt64BE(toMicroseconds(value as string), at)),
  uuid: fixed(2950, 16, (buffer, value, at) => writeUuid(buffer, value as string, at)),
} satisfies Record<string, Encoding>;

/** The PostgreSQL types of elements, as they are written in a cast. */
export type ElementType = keyof typeof ENCODINGS;

/** Bytes before the first element (dimensions, whether there are NULLs, type, length, lower bound), and before each element (its size). */
const [HEADER, LENGTH] = [20, 4];
/** The size that stands for NULL. */
const NULL_SIZE = -1;
const [UUID_DIGITS, UUID_CHARACTERS, HYPHEN, NO_DIGIT] = [32, 36, 0x2d, 255];
/** The epoch of PostgreSQL, 2000-01-01, in microseconds since that of Unix. */
const EPOCH_MICROSECONDS = 946_684_800_000_000n;

/** Returns the parameters of a statement for several rows, one array for each column: `$1::uuid[], $2::text[]`. `first` is the first number. */
export const arraysOf = (types: readonly ElementType[], first = 1): string =>
  types.map((type, at) => `$${at + first}::${type}[]`).join(', ');

/**
 * Returns the columns of several rows, for the parameters of `arraysOf`. A timestamp is text in the format of `Date.toISOString`. null and undefined
 * become NULL. Throws if a value does not have the type of its column.
 */
export function columnsOf(rows: readonly (readonly unknown[])[], types: readonly ElementType[]): Buffer[] {
  return types.map((type, column) =>
    arrayParameter(
      type,
      rows.map((row) => row[column]),
    ),
  );
}

/** Returns an array parameter, such as that of `$1::uuid[]`. Throws if a value does not have the type. */
export function arrayParameter(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, size, write }: Encoding = ENCODINGS[type];
  const sizes = values.map((value) => (value === undefined || value === null ? NULL_SIZE : size(value)));
  const buffer = Buffer.allocUnsafe(sizes.reduce((sum, bytes) => sum + LENGTH + Math.max(bytes, 0), HEADER));
  let at = 0;
  for (const word of [1, sizes.includes(NULL_SIZE) ? 1 : 0, oid, values.length, 1]) at = buffer.writeInt32BE(word, at);
  sizes.forEach((bytes, index) => {
    at = buffer.writeInt32BE(bytes, at);
    if (bytes === NULL_SIZE) return;
    write(buffer, values[index], at);
    at += bytes;
  });
  return buffer;
}

function fixed(oid: number, bytes: number, write: Encoding['write']): Encoding {
  return { oid, size: () => bytes, write };
}

function toBit(value: unknown): number {
  if (typeof value !== 'boolean') throw new TypeError(`${String(value)} is not a boolean`);
  return value ? 1 : 0;
}

/** Throws for a text that `writeDoubleBE` would convert. */
function requireNumber(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${String(value)} is not a number`);
  return value;
}

/** Throws for a value that `Buffer.set` would convert, or of which it would not write all bytes. */
function requireBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${String(value)} is not a Uint8Array`);
  return value;
}

/** Throws for a number that would be rounded. */
function requireInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${String(value)} is not an integer`);
  return value as number;
}

/** The value of each hexadecimal digit by its character code, and NO_DIGIT for other characters. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});

/** Accepts the format of RFC 9562 with or without its hyphens. */
function writeUuid(buffer: Buffer, uuid: string, at: number): void {
  if (typeof uuid !== 'string' || (uuid.length !== UUID_DIGITS && uuid.length !== UUID_CHARACTERS)) throw notUuid(uuid);
  let digits = 0;
  for (let index = 0; index < uuid.length; index++) {
    const code = uuid.charCodeAt(index);
    if (code === HYPHEN) continue;
    const digit = DIGITS[code] ?? NO_DIGIT;
    if (digit === NO_DIGIT || digits === UUID_DIGITS) throw notUuid(uuid);
    if (digits % 2 === 0) buffer[at + digits / 2] = digit << 4;
    else buffer[at + (digits - 1) / 2]! |= digit;
    digits++;
  }
  if (digits !== UUID_DIGITS) throw notUuid(uuid);
}

const notUuid = (uuid: string): TypeError => new TypeError(`${uuid} is not a UUID`);

/** The format of `Date.toISOString`. Other formats could contain microseconds or depend on the time zone of the process. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
/** The number of characters up to the seconds. `Date.parse` converts a day that does not exist, such as February 30, to another day. */
const SECONDS_END = 19;

function toMicroseconds(time: string): bigint {
  const milliseconds = TIMESTAMP.test(time) ? Date.parse(time) : NaN;
  const isSame =
    !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(time.slice(0, SECONDS_END));
  if (!isSame) throw new TypeError(`${String(time)} is not a timestamp`);
  return BigInt(milliseconds) * 1_000n - EPOCH_MICROSECONDS;
}
