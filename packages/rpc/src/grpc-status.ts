import { ApiError, cutBytes, type ErrorCode, ERROR_STATUS } from '@drawbridge/contracts';
import { ErrorInfo } from '@drawbridge/proto/google/rpc/error_details';
import { Status } from '@drawbridge/proto/google/rpc/status';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { LostCall } from './errors.js';

/** The `reason` in the details when a process with a wrong clock rejects a call. */
export const CLOCK_SKEW = 'clock_skew';

/** Thrown if the called service rejected the call before it processed it, so that the call can be repeated in another process. */
export class NotBegun extends ApiError {}

/** The called process runs a version of the service that lacks the method. */
export class LacksMethod extends NotBegun {}

const DETAILS_KEY = 'grpc-status-details-bin';
/**
 * These limits keep the headers below 64 KiB: details and message are sent in base64 (33 % longer), and the summary is percent-encoded (up to three
 * times longer).
 */
const MAX_DETAILS_BYTES = 32_000;
const MAX_MESSAGE_BYTES = 8_000;
const MAX_SUMMARY_BYTES = 1_000;
const TYPE_URL = 'type.googleapis.com/google.rpc.ErrorInfo';

/**
 * Converts an ApiError to a google.rpc.Status with one ErrorInfo, in which the reason is the code of the error (AIP-193). Never fails, whatever the
 * error contains. The message of the gRPC status is only for debugging the transport.
 */
export function toGrpcError(error: ApiError): Partial<ServiceError> {
  const code = grpcCode(error.status);
  const info = ErrorInfo.fromPartial({
    reason: error.code,
    domain: 'drawbridge',
    metadata: { status: String(error.status), details: fitting(error.details) },
  });
  const any = { typeUrl: TYPE_URL, value: Buffer.from(ErrorInfo.encode(info).finish()) };
  const wire = Status.encode({ code, message: cutBytes(error.message, MAX_MESSAGE_BYTES), details: [any] }).finish();
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(wire));
  return { code, details: cutBytes(error.message, MAX_SUMMARY_BYTES), metadata };
}

function fitting(details: Record<string, unknown>): string {
  const text = asJson(details);
  return text !== undefined && Buffer.byteLength(text) <= MAX_DETAILS_BYTES ? text : '{"truncated":true}';
}

/** Returns undefined if JSON cannot represent the value, such as a BigInt or a cycle. */
function asJson(details: Record<string, unknown>): string | undefined {
  try {
    return JSON.stringify(details);
  } catch {
    return undefined;
  }
}

/**
 * Converts a gRPC error back to an ApiError. An error without Drawbridge details was created by the library. Its message contains peer addresses, so
 * it is replaced. `isSent`: the service may have received the call. `mayChange`: the call may change something.
 */
export function fromGrpcError(
  error: ServiceError,
  { service, isSent, mayChange }: { service: string; isSent: boolean; mayChange: boolean },
): ApiError {
  const sent = read(error);
  if (!sent && lacksMethod(error))
    return new LacksMethod('UNAVAILABLE', `${service} runs a version without this operation; try again`, {
      cause: error,
    });
  if (!sent) return isSent ? lost(error, service, mayChange) : ofLibrary(error, service);
  const { reason, message, status, details } = sent;
  // The called service rejected the caller token of this process, not the caller: INTERNAL_KEY or a clock differs. The called service has logged it.
  // It rejected the call before it read the message, so another process of the service may accept the call.
  if (['caller_token', CLOCK_SKEW].includes(String(details['reason'])))
    return new NotBegun('UNAVAILABLE', unavailable(service), { cause: error });
  return new ApiError(isErrorCode(reason) ? reason : 'INTERNAL', message, { status, details });
}

/** During a rolling update, processes of the previous version lack new methods. Another process of the service may have the method. */
function lacksMethod({ code, details }: ServiceError): boolean {
  // The library uses this code for malformed messages too.
  return code === status.UNIMPLEMENTED && details.startsWith('The server does not implement the method');
}

interface Sent {
  reason: string;
  message: string;
  status: number;
  details: Record<string, unknown>;
}

/** Returns undefined if the error contains no Drawbridge details. */
function read({ metadata }: ServiceError): Sent | undefined {
  const [wire] = metadata?.get(DETAILS_KEY) ?? [];
  if (!(wire instanceof Buffer)) return undefined;
  try {
    const { message, details } = Status.decode(wire);
    const { reason, metadata } = ErrorInfo.decode(details[0]!.value);
    return { reason, message, status: Number(metadata['status']), details: JSON.parse(metadata['details']!) };
  } catch {
    return undefined;
  }
}

function ofLibrary(error: ServiceError, service: string): ApiError {
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
    case status.CANCELLED:
      return new ApiError('TIMEOUT', `${service} did not respond in time`);
    // The message is too large or malformed. A retry would fail again.
    case status.RESOURCE_EXHAUSTED:
    case status.UNIMPLEMENTED:
      return new ApiError('INTERNAL', `${service} could not encode or decode this message`, { cause: error });
    default:
      return new ApiError('UNAVAILABLE', unavailable(service), { cause: error });
  }
}

function lost(error: ServiceError, service: string, mayHaveChanged: boolean): LostCall {
  const { code, message } = ofLibrary(error, service);
  return new LostCall(code, message, { mayHaveChanged, cause: error });
}

function unavailable(service: string): string {
  return `${service} is unavailable; try again`;
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, text);
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
