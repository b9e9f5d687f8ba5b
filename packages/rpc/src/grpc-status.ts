import { ApiError, type ErrorCode, ERROR_STATUS } from '@drawbridge/contracts';
import { ErrorInfo } from '@drawbridge/proto/google/rpc/error_details';
import { Status } from '@drawbridge/proto/google/rpc/status';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { LostCall } from './lost-call.js';

const DETAILS_KEY = 'grpc-status-details-bin';
/** grpc-js refuses headers past 64 KiB, and base64 adds a third. */
const MAX_DETAILS = 32_000;
const MAX_MESSAGE = 4_000;
const TYPE_URL = 'type.googleapis.com/google.rpc.ErrorInfo';

/** An ApiError as gRPC carries it: google.rpc.Status with one ErrorInfo, whose reason is the contract's code (AIP-193). */
export function toGrpcError(error: ApiError): Partial<ServiceError> {
  const code = grpcCode(error.status);
  const info = ErrorInfo.fromPartial({
    reason: error.code,
    domain: 'drawbridge',
    metadata: { status: String(error.status), details: fitting(error.details) },
  });
  const any = { typeUrl: TYPE_URL, value: Buffer.from(ErrorInfo.encode(info).finish()) };
  const metadata = new Metadata();
  const message = error.message.slice(0, MAX_MESSAGE);
  const wire = Status.encode({ code, message, details: [any] }).finish();
  metadata.set(DETAILS_KEY, Buffer.from(wire));
  return { code, details: message, metadata };
}

function fitting(details: Record<string, unknown>): string {
  const text = JSON.stringify(details);
  return text.length <= MAX_DETAILS ? text : JSON.stringify({ truncated: true });
}

/**
 * Without our details the library speaks: its texts carry peer addresses and are replaced. `isSent`: whether the service
 * may have had the call.
 */
export function fromGrpcError(
  error: ServiceError,
  { service, isSent }: { service: string; isSent: boolean },
): ApiError {
  const [wire] = error.metadata?.get(DETAILS_KEY) ?? [];
  const any = wire instanceof Buffer ? Status.decode(wire).details[0] : undefined;
  if (!any) return isSent ? lost(error, service) : ofLibrary(error, service);
  const { reason, metadata } = ErrorInfo.decode(any.value);
  const details = JSON.parse(metadata['details'] ?? '{}') as Record<string, unknown>;
  // Our own credentials were refused, not our caller's: INTERNAL_KEY differs. The service has logged it.
  if (details['reason'] === 'caller_token') return unavailable(error, service);
  const status = Number(metadata['status']);
  return new ApiError(isErrorCode(reason) ? reason : 'INTERNAL', error.details, { status, details });
}

function ofLibrary(error: ServiceError, service: string): ApiError {
  if (error.code === status.DEADLINE_EXCEEDED || error.code === status.CANCELLED) {
    return new ApiError('TIMEOUT', `${service} did not answer in time`);
  }
  return unavailable(error, service);
}

function lost(error: ServiceError, service: string): LostCall {
  const { code, message } = ofLibrary(error, service);
  return new LostCall(code, message, { cause: error });
}

function unavailable(cause: ServiceError, service: string): ApiError {
  return new ApiError('UNAVAILABLE', `${service} is unavailable; try again`, { cause });
}

function isErrorCode(text: string): text is ErrorCode {
  return text in ERROR_STATUS;
}

function grpcCode(http: number): status {
  if (http === 401) return status.UNAUTHENTICATED;
  if (http === 403) return status.PERMISSION_DENIED;
  if (http === 404) return status.NOT_FOUND;
  if (http === 409) return status.ALREADY_EXISTS;
  if (http === 429) return status.RESOURCE_EXHAUSTED;
  if (http === 503) return status.UNAVAILABLE;
  if (http === 504) return status.DEADLINE_EXCEEDED;
  return http < 500 ? status.INVALID_ARGUMENT : status.INTERNAL;
}
