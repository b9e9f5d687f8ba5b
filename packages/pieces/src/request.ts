import {
  action,
  InputError,
  shortText,
  staticDropdown,
  type Action,
  type JsonObject,
  type Piece,
} from '@drawbridge/piece-kit';
import { toResult } from './http/actions/send-request.js';
import { properties } from './http/properties.js';
import { toBody } from './http/to-body.js';

/**
 * Adds the action `request`, which calls any path of the provider with the connection. Pieces that have no origin, no credential or already an action
 * of that name are returned unchanged.
 */
export function withRequest(piece: Piece): Piece {
  const { origin, auth, actions } = piece;
  if (!origin || !auth || Object.hasOwn(actions, NAME)) return piece;
  return { ...piece, actions: { ...actions, [NAME]: requestAction(piece) } };
}

const NAME = 'request';

const { headers, query, json, form, text, file, timeoutSeconds, failOnError } = properties;

const props = {
  method: staticDropdown('Method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], { required: true }),
  path: shortText('Path', {
    required: true,
    pattern: '^/[^\\\\#\\s]*$',
    maxLength: 8192,
    description: 'The path below the address of the API, such as "/v1/items".',
  }),
  ...{ query, headers, json, form, text, file, timeoutSeconds, failOnError },
};

function requestAction({ displayName, isGetSafe }: Piece): Action {
  const reads = isGetSafe === false ? [] : ['GET', 'HEAD'];
  return action({
    displayName: 'Send API request',
    description: `Sends any request to the ${displayName} API. Use it if no other action fits. Returns the status, the headers and the body of the response.`,
    category: 'admin',
    categoryOf: ({ method }) => (reads.some((one) => one === method) ? 'read' : 'admin'),
    isRaw: true,
    props,
    run: async ({ http, input }) => {
      const { method, path, failOnError: fails = true } = input;
      if (DOTS.test(path)) throw new InputError('path', 'must not contain the path segments "." and ".."');
      requireNoOverride(input.headers);
      const timeoutMs = input.timeoutSeconds && input.timeoutSeconds * 1000;
      const request = { method, path, query: input.query, headers: input.headers, ...toBody(input), timeoutMs };
      return toResult(await (fails ? http.request(request) : http.send(request)));
    },
  });
}

/** URL parsers resolve these segments, encoded or not, so that the request would leave the base path of the API. */
const DOTS = /^[^?]*\/(\.|%2e){1,2}(\/|\?|$)/i;

/** Some providers read the method from such a header, so policies would evaluate a different method. */
const OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override']);

function requireNoOverride(given: JsonObject = {}): void {
  const name = Object.keys(given).find((one) => OVERRIDES.has(one.toLowerCase()));
  if (name !== undefined) throw new InputError('headers', `cannot have ${name}. Set "method" instead`);
}
