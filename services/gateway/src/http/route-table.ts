import { ApiError } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type NextFunction, type RequestHandler, type Response, Router } from 'express';
import { type Kind } from '../admission/concurrency-limits.js';

const DEFAULT_BODY_BYTES = 1_048_576;

/** The parts of an OpenAPI document that routing and validation need. */
export interface OpenApi {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, object> };
}

interface OpenApiOperation {
  operationId: string;
  security?: unknown[];
  requestBody?: object;
  'x-max-body-bytes'?: number;
  'x-takes-long'?: boolean;
  'x-streams'?: boolean;
  'x-listens'?: boolean;
  'x-same-for-all'?: boolean;
}

/** Properties of an operation in the OpenAPI document. */
export interface Operation {
  isPublic: boolean;
  /** True if the session of a user without an organization may call the operation, too. */
  isForPersons: boolean;
  /** Absent if the operation has no request body. The gateway then does not read a body. */
  maxBodyBytes?: number;
  /** The kind of slots that a request takes. */
  kind: Kind;
  /** True if the response depends only on the URL, not on the caller. */
  isSameForAll: boolean;
}

/** Finds the operation of a request. Throws NOT_FOUND and METHOD_NOT_ALLOWED for a path or method that the published OpenAPI document lacks. */
export function routeTable(document: OpenApi): RequestHandler {
  const routes = Object.entries(document.paths).map(([path, operations]) => toRoute(path, operations));
  // Literal paths (`connections/resolve`) are matched before paths with an id in the same position (`connections/{id}`).
  routes.sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  const literal = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, route]));

  return (request, response, next) => {
    const exact = literal.get(request.path);
    const isExact = exact?.operations.has(request.method);
    const matching = isExact ? [exact!] : routes.filter(({ pattern }) => pattern.test(request.path));
    if (matching.length === 0) throw new ApiError('NOT_FOUND', `No such path: ${request.path}`);
    const route = matching.find(({ operations }) => operations.has(request.method));
    response.locals['route'] = (route ?? matching[0])!.path;
    if (!route) {
      const allowed = [...new Set(matching.flatMap(({ operations }) => [...operations.keys()]))].join(', ');
      response.setHeader('Allow', allowed);
      throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; allowed: ${allowed}`);
    }
    response.locals['operation'] = route.operations.get(request.method);
    next();
  };
}

/**
 * Registers the routes and dispatches by the path that the route table found, so that Express does not compare the request with every operation
 * again.
 */
export function operationRoutes(register: (app: Router) => void): RequestHandler {
  const all = Router();
  register(all);
  const byPath = new Map<string, Router>();
  for (const layer of all.stack) {
    const path = layer.route!.path.replace(/:(\w+)/g, '{$1}');
    const router = byPath.get(path) ?? Router();
    router.stack.push(layer);
    byPath.set(path, router);
  }
  return (request, response, next) => byPath.get(response.locals['route'])!(request, response, next);
}

/** Returns the operation of a request that passed `routeTable`. */
export function operationOf(response: Response): Operation {
  return response.locals['operation'];
}

function toRoute(path: string, operations: OpenApi['paths'][string]) {
  const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
  const byMethod = new Map(
    Object.entries(operations).map(([method, operation]) => [method.toUpperCase(), toOperation(operation)]),
  );
  const get = byMethod.get('GET');
  if (get) byMethod.set('HEAD', get);
  return { path, pattern, operations: byMethod };
}

function kindOf(operation: Omit<OpenApiOperation, 'operationId'>): Kind {
  if (operation['x-listens']) return 'execution listener';
  if (operation['x-streams']) return 'stream';
  return operation['x-takes-long'] ? 'execution' : 'request';
}

function toOperation({ operationId, security, requestBody, ...operation }: OpenApiOperation): Operation {
  return {
    isPublic: security?.length === 0,
    isForPersons: FOR_PERSONS.has(operationId),
    maxBodyBytes: requestBody ? (operation['x-max-body-bytes'] ?? DEFAULT_BODY_BYTES) : undefined,
    kind: kindOf(operation),
    isSameForAll: operation['x-same-for-all'] ?? false,
  };
}

const RPCS: Record<string, Record<string, { grant: string; withoutOrganization?: boolean }>> = ACCESS;

/** Ids of the operations that users without an organization may call. An operation id is the name of an RPC with a capital first letter. */
const FOR_PERSONS = new Set(
  Object.values(RPCS)
    .flatMap((methods) => Object.entries(methods))
    .filter(([, { withoutOrganization }]) => withoutOrganization)
    .map(([method]) => method.charAt(0).toUpperCase() + method.slice(1)),
);

/**
 * Serves requests of one method and exact URL by handlers in sequence. Express would first compare each request with every path, which costs more
 * than the handlers. Requests with any other spelling of the path, and errors of the handlers, go through Express.
 */
export function directRoute(method: string, url: string, handlers: readonly RequestHandler[]): RequestHandler {
  const serve = inSequence(handlers);
  return (request, response, next) =>
    request.method === method && request.url === url ? serve(request, response, next) : next();
}

/** Returns a handler that runs each handler when the previous handler calls `next`, as Express does. */
function inSequence(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    // If `done` received no error, Express would continue and run its own handlers of the operation a second time.
    const fail = (error: unknown): void => done(error ?? new Error('A handler failed without a reason'));
    const run = (at: number): void => {
      const handler = handlers[at];
      if (!handler) return done();
      const next = ((error?: unknown): void => (error === undefined ? run(at + 1) : done(error))) as NextFunction;
      try {
        const running: unknown = handler(request, response, next);
        if (running instanceof Promise) running.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    run(0);
  };
}
