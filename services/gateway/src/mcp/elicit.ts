import { isObject, type JsonObject } from './protocol/message.js';

/** What became of leading the person to an address, in this call and before it. */
export interface Elicited {
  /** The client does that, and has not yet for this call. */
  mayAsk: boolean;
  /** The person would not. */
  isDeclined: boolean;
  /** What was given to the client to bring back. */
  requestState?: string;
}

/** A result of `tools/call` that wants something of the person first: the client then calls again. */
export interface InputRequired {
  inputRequired: JsonObject;
}

const KEY = 'page';
const MAX_STATE = 255;

/** Of the parameters of a call. A client that has asked its person is not told to ask again: that could go on for ever. */
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
  /** An idempotency key: it comes back from whom it may say nothing that an own key could not. */
  requestState?: string;
}

/** Undefined where the client can't be asked. */
export function elicitUrl({ mayAsk }: Elicited, { message, url, requestState }: Page): InputRequired | undefined {
  if (!mayAsk) return undefined;
  const inputRequests = { [KEY]: { method: 'elicitation/create', params: { mode: 'url', message, url } } };
  return { inputRequired: { resultType: 'input_required', inputRequests, ...(requestState && { requestState }) } };
}
