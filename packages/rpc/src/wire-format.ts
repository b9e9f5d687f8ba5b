import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { ApiError } from '@drawbridge/contracts';
import { type MessageType, type MethodDefinition, type ServiceDefinition } from './definition.js';

/** Of one message, either way. The largest answer, an action's outcome, is bounded well below. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Kept for the next message, its buffer with it: to grow one for each costs more than the writing. */
let spare: BinaryWriter | undefined;
/** After a larger message than this it is not. */
const KEPT_BYTES = 64 * 1024;

export function methodOf(definition: ServiceDefinition, method: string): MethodDefinition<unknown, unknown> {
  return definition.methods[method]!;
}

export function pathOf(definition: ServiceDefinition, method: MethodDefinition<unknown, unknown>): string {
  return `/${definition.fullName}/${method.name}`;
}

/** Throws on what the message can't hold, and past 16 MiB: the same in one process as on the wire. */
export function encode<T>(type: MessageType<T>, message: T): Buffer {
  const writer = spare ?? new BinaryWriter();
  spare = undefined; // What throws leaves it half written.
  const { buffer, byteOffset, byteLength } = type.encode(message, writer).finish();
  if (byteLength <= KEPT_BYTES) spare = writer;
  if (byteLength > MAX_MESSAGE_BYTES) throw new RangeError('A message is larger than 16 MiB');
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A request as its sender meant it. Throws VALIDATION_ERROR on bytes that are none. */
export function decodeRequest(method: MethodDefinition<unknown, unknown>, bytes: Uint8Array): unknown {
  try {
    return method.requestType.decode(bytes);
  } catch (cause) {
    throw new ApiError('VALIDATION_ERROR', `The bytes sent to ${method.name} are not its request`, { cause });
  }
}
