import { ApiError } from './api-error.js';
import { ApprovalDeclinedError } from './approvals.js';
import { ActionFailedError, ForbiddenError, ValidationError } from './gen/errors.js';
import { type RequiredApproval } from './gen/models.js';

/** Returns the result of a call as text. Some frameworks read an object with a `type` as an image or a file. */
export const outputText = (result: unknown): string => (typeof result === 'string' ? result : JSON.stringify(result));

/** Returns the text for a call that did not run, because a person must approve it first. */
export function approvalText(tool: string, { hostedApprovalUrl, approvalUrl, expiresAt }: RequiredApproval): string {
  const url = hostedApprovalUrl ?? approvalUrl;
  const request = url ? `Ask the user to decide at ${url}` : 'Ask the user to decide';
  return `A person must approve this first. ${tool} did not run. ${request} before ${expiresAt}. After the approval, call ${tool} again with exactly the same arguments.`;
}

/**
 * Returns the text of an error that a model can act on: the action failed, its input is invalid, or a policy or a person refused the call. Returns
 * undefined for any other error, which concerns the program.
 */
export function errorText(tool: string, error: unknown): string | undefined {
  if (error instanceof ApprovalDeclinedError)
    return `${tool} did not run. ${error.message}. Do not call it again unless the user asks for it.`;
  if (!(error instanceof ApiError)) return undefined;
  if (error instanceof ActionFailedError) return `${tool} failed: ${error.message}. ${adviceFor(error)}`;
  if (error instanceof ForbiddenError && error.details.policyId)
    return `${tool} did not run. ${[error.message, ...(error.details.reasons ?? [])].join('. ')}. Do not repeat this call.`;
  return error instanceof ValidationError ? inputText(tool, error) : undefined;
}

function adviceFor({ details: { reason, retryable } }: ActionFailedError): string {
  if (reason === 'outcome_unknown') return 'It may have been done: read the data before you call it again.';
  return retryable ? 'Try again later.' : 'The same arguments fail again: correct them first.';
}

/** Returns the text of an error of the input. Returns undefined if a field outside of the input is invalid, because the program set that field. */
function inputText(tool: string, { message, details }: ValidationError): string | undefined {
  const fields = Object.entries(details.fields ?? {});
  if (fields.some(([path]) => !/^input\b/.test(path))) return undefined;
  const problems = fields.map(([path, problem]) => `${path.replace(/^input\./, '')} ${problem.message}`);
  return `${tool} did not run. Its arguments are invalid: ${problems.join('; ') || message}. Correct them and call it again.`;
}
