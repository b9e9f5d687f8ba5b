import { type JsonValue } from './json.js';
import { type Answer, member, readBody } from './answer.js';
import { type Piece, type Refusal } from './piece.js';
import { isBusy, matches, type RateLimit, retryAfter, waitOf } from './provider-rate-limit.js';

export interface ProviderFailure {
  status?: number;
  /** The error code of the provider. */
  code?: string;
  retryable?: boolean;
  /** The number of seconds after which the request may be repeated. */
  retryAfter?: number;
  /** Set if another origin responded after a redirect. It did not receive the credential. */
  isElsewhere?: boolean;
}

/**
 * Thrown if the provider rejected the request or failed. `message` and `code` come from the provider and are not shortened. Redact them before you
 * shorten them, because the redaction does not recognize a part of a credential. `retryable` means that the same request may succeed later, not that
 * the whole action can be repeated.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly isElsewhere: boolean;

  constructor(
    message: string,
    { status, code, retryable = false, retryAfter, isElsewhere = false }: ProviderFailure = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.isElsewhere = isElsewhere;
  }
}

/**
 * Thrown if a placeholder of an address cannot be filled with a value of the account. The message never quotes the value, because it may be secret.
 */
export class AccountError extends ProviderError {
  constructor(
    /** The name of the missing or invalid value. */
    readonly value: string,
    readonly problem: string,
  ) {
    super(`The connection's ${value} ${problem}. Connect the account again.`, { code: 'CONNECTION_INCOMPLETE' });
  }
}

/** A failure that a piece read from a body. Missing properties are taken from the status and the headers. */
export interface StatedFailure extends Pick<ProviderFailure, 'code' | 'retryable' | 'retryAfter'> {
  message?: string;
}

/** The location of the message and the code in a provider's error bodies: dotted paths, which are tried in order before the usual paths. */
export interface FailureBody {
  /**
   * A path to a string, to a list, of which the first item counts, or to an object with a string per field, such as `errors` in `{"errors": {"title":
   * ["is too long"]}}`.
   */
  message?: readonly string[];
  code?: readonly string[];
}

/** Describes how a provider reports failures and limits. */
export interface FailureFormat {
  failure?: FailureBody;
  rateLimit?: RateLimit;
}

/**
 * Returns the error for a failed response to `url`, with the provider's message and code if it has them. `stated` overrides values from the response.
 */
export function toProviderError(
  answer: Answer,
  stated: StatedFailure = {},
  { failure = {}, rateLimit }: FailureFormat = {},
  url = answer.url,
): ProviderError {
  const { message, code } = { ...readFailure(readBody(answer), failure), ...given(stated) };
  const isBusyNow = isBusy(answer, code, rateLimit);
  return new ProviderError(message ?? `The provider responded with status ${answer.status}`, {
    status: answer.status,
    code,
    retryable: stated.retryable ?? (isBusyNow || [408, 500, 502, 504].includes(answer.status)),
    retryAfter: stated.retryAfter ?? (isBusyNow ? waitOf(answer, code, rateLimit) : retryAfter(answer)),
    isElsewhere: new URL(answer.url).origin !== new URL(url).origin,
  });
}

const given = ({ message, code }: Failure): Failure => ({ ...(message && { message }), ...(code && { code }) });

interface Failure {
  message?: string;
  code?: string;
}

/**
 * Reads the declared paths, then the usual forms: `{message, code}`, `{error: {message, code|type}}`, `{error, error_description}`, `{errors: […]}`,
 * plain text.
 */
function readFailure(body: JsonValue | Uint8Array, { message = [], code = [] }: FailureBody): Failure {
  const usual = readUsualFailure(body);
  return {
    message: firstText(...message.map((path) => toText(member(body, ...path.split('.'))))) ?? usual.message,
    code: firstText(...code.map((path) => member(body, ...path.split('.')))) ?? usual.code,
  };
}

/** Returns the first string of a value. If the value is an object, the string is preceded by the name of its field. */
function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return firstText(value);
  if (Array.isArray(value)) return firstText(value[0]) ?? firstText(member(value[0], 'message'));
  const [field, first] = Object.entries(value)[0] ?? [];
  const text = firstText(first, member(first, 0));
  return text && `${field}: ${text}`;
}

function readUsualFailure(body: JsonValue | Uint8Array): Failure {
  if (typeof body === 'string') return body.startsWith('<') ? {} : { message: body };

  const failure = member(body, 'error', 'message') === undefined ? body : member(body, 'error');
  const first = member(body, 'errors', 0);
  const message = firstText(
    ...['message', 'error_description', 'detail', 'error', 'title'].map((key) => member(failure, key)),
    member(first, 'message'),
    first,
  );
  const code = firstText(
    ...['code', 'type'].map((key) => member(failure, key)),
    member(body, 'error'),
    member(first, 'code'),
  );
  return { message: withField(message, first), code };
}

/**
 * Adds the field and reason of the first error to a message. GitHub's message is only "Validation Failed", and SendGrid returns only a list of
 * errors.
 */
function withField(message: string | undefined, first: unknown): string | undefined {
  const field = firstText(member(first, 'field'));
  const reason = firstText(member(first, 'message'), member(first, 'code'));
  if (field && message === reason) return `${field}: ${message}`;
  return message && field && reason ? `${message}: ${field} ${reason}` : message;
}

function firstText(...candidates: unknown[]): string | undefined {
  const found = candidates.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? undefined : String(found);
}

const UNAUTHORIZED: readonly Refusal[] = [{ status: 401 }];

/**
 * Returns whether the provider rejected the credential itself, not the request. Ignores a response of another origin after a redirect, because that
 * origin did not receive the credential.
 */
export function isCredentialRefused({ auth }: Piece, { status, code, isElsewhere }: ProviderError): boolean {
  if (!auth || isElsewhere) return false;
  const { refusedWhen = UNAUTHORIZED } = auth;
  return refusedWhen.some((refusal) => matches(refusal, status, code));
}

/** Thrown for an invalid input that the schema accepts. The message is for the caller and contains no secret. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(
    /** The key of the property, as in `input.<key>`. */
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}
