import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { ApiError } from '@drawbridge/contracts';
import { copyMessage, UNUSUAL } from '@drawbridge/proto/copying';

/** The shape of the service constants that ts-proto generates (`outputServices=generic-definitions`). */
interface MessageType<T> {
  encode(message: T, writer: BinaryWriter): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
  /** Returns what decoding the encoded message would return. Throws UNUSUAL if the message must be encoded instead (`copyMessage`). */
  copy?(message: T): T;
}

interface MethodDefinition<Request, Response> {
  name: string;
  requestType: MessageType<Request>;
  responseType: MessageType<Response>;
}

export interface ServiceDefinition {
  fullName: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the one place where messages of all types meet
  methods: Record<string, MethodDefinition<any, any>>;
}

type RequestOf<M> = M extends { requestType: MessageType<infer Request> } ? Request : never;
type ResponseOf<M> = M extends { responseType: MessageType<infer Response> } ? Response : never;

/** The implementation of a service: one function per method. */
export type Implementation<D extends ServiceDefinition> = {
  [K in keyof D['methods']]: (request: RequestOf<D['methods'][K]>) => Promise<ResponseOf<D['methods'][K]>>;
};

export interface CallOptions {
  /** Timeout in milliseconds, shortened to the remaining time of the current call. Default: 10,000. */
  timeoutMs?: number;
  /** Cancels the call. Default: the signal of the current call. */
  signal?: AbortSignal;
}

/** A client of a service. Its functions are the same wherever the service runs. */
export type Client<D extends ServiceDefinition> = {
  [K in keyof D['methods']]: (
    request: RequestOf<D['methods'][K]>,
    options?: CallOptions,
  ) => Promise<ResponseOf<D['methods'][K]>>;
};

/** Metadata key of a call's deadline, in epoch milliseconds of the reference clock. */
export const DEADLINE_KEY = 'x-drawbridge-deadline';
/** Metadata key of the time of the reference clock when the response was sent, in epoch milliseconds. */
export const TIME_KEY = 'x-drawbridge-time';

/** Maximum size of one message in either direction. The largest response, the outcome of an action, has a much lower limit. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The writer is reused for the next message together with its buffer, because growing a new buffer takes longer than encoding. */
let spare: BinaryWriter | undefined;
/** A writer with a buffer larger than this is not reused. */
const KEPT_BYTES = 64 * 1024;

export function methodOf(definition: ServiceDefinition, method: string): MethodDefinition<unknown, unknown> {
  return definition.methods[method]!;
}

export function pathOf(definition: ServiceDefinition, method: MethodDefinition<unknown, unknown>): string {
  return `/${definition.fullName}/${method.name}`;
}

/** Encodes a message. Throws if the message cannot be encoded or exceeds 16 MiB, in one process as over gRPC. */
export function encode<T>(type: MessageType<T>, message: T): Buffer {
  const writer = spare ?? new BinaryWriter();
  spare = undefined; // A failed encoding leaves partial data in the writer.
  const { buffer, byteOffset, byteLength } = type.encode(message, writer).finish();
  if (byteLength <= KEPT_BYTES) spare = writer;
  if (byteLength > MAX_MESSAGE_BYTES) throw new RangeError('A message is larger than 16 MiB');
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A message on its way between two services: a copy, or its bytes. */
export type Sent = { message: unknown } | Buffer;

/**
 * Copies a message for a service of the same process. The copy is what the receiver would decode over gRPC: it has only the declared fields, and
 * shares no object with the message. Encodes a message that has no copy or a value that a copy does not handle. Throws if the message cannot be encoded
 * or exceeds 16 MiB.
 */
export function send<T>(type: MessageType<T>, message: T): Sent {
  if (!type.copy) return encode(type, message);
  try {
    return { message: copyMessage(type.copy, message) };
  } catch (error) {
    if (error === UNUSUAL) return encode(type, message);
    throw error;
  }
}

/** Sends a response: encoded if the request was, otherwise as a message for a service of the same process. */
export function sendBack<T>(type: MessageType<T>, response: T, request: Sent): Sent {
  return Buffer.isBuffer(request) ? encode(type, response) : send(type, response);
}

export function receive<T>(type: MessageType<T>, sent: Sent): T {
  return Buffer.isBuffer(sent) ? type.decode(sent) : (sent.message as T);
}

/** Receives a request. Throws VALIDATION_ERROR if the bytes are not a valid request. */
export function receiveRequest(method: MethodDefinition<unknown, unknown>, sent: Sent): unknown {
  try {
    return receive(method.requestType, sent);
  } catch (cause) {
    throw new ApiError('VALIDATION_ERROR', `The bytes sent to ${method.name} are not a valid request`, { cause });
  }
}
