import { ApiError } from './api-error.js';
import { type ErrorCode, ERRORS } from './gen/errors.js';

/** Returns the error of an error response. A proxy in between may send a body other than the JSON of the API. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  const { error, code, details } = parsed(text);
  const refusal = {
    code: typeof code === 'string' ? code : `HTTP_${response.status}`,
    message: typeof error === 'string' ? error : `The server answered ${response.status} ${text.slice(0, 200)}`.trim(),
    status: response.status,
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    headers: response.headers,
  };
  if (!isErrorCode(refusal.code)) return new ApiError(refusal);
  return new (ERRORS[refusal.code] as typeof ApiError)(refusal);
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
