import { ApiError, changeUnknown, cutText, type ServiceName } from '@drawbridge/contracts';
import { isOutage } from './is-outage.js';
import { type Logger } from './log.js';
import { LostCall } from './lost-call.js';

const MAX_NAME = 100;
const MAX_FRAMES = 12;
const MAX_LINES = 50;
const FRAME = /^\s+at .{1,400}:\d+:\d+\)?$/;

interface CallInfo {
  call: string;
  requestId: string;
  log: Logger;
}

/** Converts any failure into what a caller may see. Logs an unexpected error here, once, and returns a bare INTERNAL. */
export function toApiError(error: unknown, happening: CallInfo): ApiError {
  // A call that this service lost to another service is an ordinary error for its own caller. gRPC drops the class as well.
  if (error instanceof LostCall)
    return error.mayHaveChanged
      ? changeUnknown(happening.requestId, error)
      : new ApiError(error.code, error.message, { cause: error });
  if (error instanceof ApiError) return error;
  if (isUniqueViolation(error)) return duplicate(error);
  const { call, requestId, log } = happening;
  if (isOutage(error)) {
    log.warn({ call, requestId, error: describeError(error) }, 'a dependency is unreachable');
    return new ApiError('UNAVAILABLE', 'A dependency is unavailable; try again', { cause: error });
  }
  log.error({ call, requestId, error: describeError(error) }, 'unexpected error');
  return new ApiError('INTERNAL', 'Something went wrong on our side', { details: { requestId }, cause: error });
}

export function forbiddenCaller(from: ServiceName, call: string): ApiError {
  return new ApiError('FORBIDDEN', `${from} may not call ${call}`);
}

export function missingCaller(): ApiError {
  return new ApiError('UNAUTHENTICATED', 'This call needs a caller');
}

/** Returns name, code and stack frames. Omits the message: the text of a database or a provider may quote its input, and may imitate frames. */
export function describeError(error: unknown): { name: string; code?: string; frames?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const inner = error.cause instanceof Error ? ` < ${error.cause.name}` : '';
  const code = codeOf(error);
  return {
    name: cutText(error.name + inner, MAX_NAME),
    code: code && cutText(code, MAX_NAME),
    frames: framesOf(error),
  };
}

function framesOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const said = stack.indexOf(message);
  // The message was changed after the stack was taken, so its own lines and the frames cannot be separated.
  if (said < 0) return undefined;
  const lines = stack.slice(said + message.length).split('\n', MAX_LINES);
  return lines
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}

function isUniqueViolation(error: unknown): error is UniqueViolation {
  const code = codeOf(error);
  return code === 'P2002' || code === '23505';
}

/** Prisma names the model, and inside the driver's error the columns of the constraint. */
function duplicate({ meta, ...error }: UniqueViolation): ApiError {
  const model = (meta?.modelName ?? 'Resource').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const columns = meta?.driverAdapterError?.cause?.constraint?.fields ?? [];
  const own = columns.map((column) => column.replaceAll('"', '')).filter((column) => column !== 'org_id');
  const which = own.length > 0 ? ` with this ${own.at(-1)!.replaceAll('_', ' ')}` : '';
  return new ApiError('DUPLICATE', `${model}${which} already exists`, { cause: error });
}

interface UniqueViolation extends Error {
  meta?: { modelName?: string; driverAdapterError?: { cause?: { constraint?: { fields?: string[] } } } };
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
