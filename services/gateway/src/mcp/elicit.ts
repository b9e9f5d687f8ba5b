import { isObject, type JsonObject } from './protocol/message.js';

/** The state of URL elicitation, in this call and before it. */
export interface Elicited {
  /** The client can show the user a URL, and has not done so for this call. */
  mayAsk: boolean;
  /** The user declined or canceled. */
  isDeclined: boolean;
  /** The state that an earlier result gave to the client. */
  requestState?: string;
}

/** A result of `tools/call` that needs input from the user first; the client then calls again. */
export interface InputRequired {
  inputRequired: JsonObject;
}

const KEY = 'page';
const MAX_STATE = 255;

/** Reads the parameters of a call. A client that has asked its user is not asked again, which could repeat without end. */
export function elicitedBy(params: JsonObject, mayElicitUrl: boolean): Elicited {
  const { inputResponses, requestState } = params;
  const response = isObject(inputResponses) ? inputResponses[KEY] : undefined;
  const action = isObject(response) ? response['action'] : undefined;
  const isState = typeof requestState === 'string' && requestState.length > 0 && requestState.length <= MAX_STATE;
  return {
    mayAsk: mayElicitUrl && action === undefined,
    isDeclined: mayElicitUrl && (action === 'decline' || action === 'cancel'),
    ...(mayElicitUrl && isState && { requestState }),
  };
}

interface Page {
  message: string;
  url: string;
  /** An idempotency key. A client can change it, but gains nothing that a key of its own would not give. */
  requestState?: string;
}

/** Returns undefined if the client cannot ask the user. */
export function elicitUrl({ mayAsk }: Elicited, { message, url, requestState }: Page): InputRequired | undefined {
  if (!mayAsk) return undefined;
  const inputRequests = { [KEY]: { method: 'elicitation/create', params: { mode: 'url', message, url } } };
  return { inputRequired: { resultType: 'input_required', inputRequests, ...(requestState && { requestState }) } };
}
