import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { isOutage } from './is-outage.js';
import { type Logger } from './log.js';

interface Happening {
  call: string;
  requestId: string;
  log: Logger;
}

/** Any failure as a caller may see it. The unexpected is logged here, once, and shown as a bare INTERNAL. */
export function toApiError(error: unknown, happening: Happening): ApiError {
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

export function refused(from: ServiceName, service: string, method: string): ApiError {
  return new ApiError('FORBIDDEN', `${from} may not call ${service}/${method}`);
}

/** Name, code and stack frames. Not the message: a database's or a provider's text may quote what it was given. */
export function describeError(error: unknown): { name: string; code?: string; frames?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .join('\n');
  const inner = error.cause instanceof Error ? ` < ${error.cause.name}` : '';
  return { name: error.name + inner, code: codeOf(error), frames };
}

function isUniqueViolation(error: unknown): error is UniqueViolation {
  const code = codeOf(error);
  return code === 'P2002' || code === '23505';
}

/** Prisma names the model and, inside what its driver said, the columns of the constraint. */
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
