import { ApiError } from '@drawbridge/contracts';
import { type RequestHandler } from 'express';

/** The parts of an OpenAPI document that routing needs. */
export interface OpenApi {
  paths: Record<string, Record<string, { security?: unknown[] }>>;
}

interface Route {
  path: string;
  pattern: RegExp;
  /** Method → whether it needs no key. */
  methods: Map<string, boolean>;
}

/** Answers 404 and 405 from the published document, so that both hold for what it names and nothing else. */
export function routeTable(document: OpenApi): RequestHandler {
  const routes = Object.entries(document.paths).map(([path, operations]) => toRoute(path, operations));
  // A literal path (`connections/resolve`) before one with an id in its place (`connections/{id}`).
  routes.sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  return (request, response, next) => {
    const matching = routes.filter(({ pattern }) => pattern.test(request.path));
    if (matching.length === 0) throw new ApiError('NOT_FOUND', `No such path: ${request.path}`);
    const route = matching.find(({ methods }) => methods.has(request.method));
    response.locals['route'] = (route ?? matching[0])!.path;
    if (!route) {
      const allowed = [...new Set(matching.flatMap(({ methods }) => [...methods.keys()]))].join(', ');
      response.setHeader('Allow', allowed);
      throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; allowed: ${allowed}`);
    }
    response.locals['public'] = route.methods.get(request.method);
    next();
  };
}

function toRoute(path: string, operations: OpenApi['paths'][string]): Route {
  const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
  const methods = new Map(
    Object.entries(operations).map(([method, { security }]) => [method.toUpperCase(), security?.length === 0]),
  );
  if (methods.has('GET')) methods.set('HEAD', methods.get('GET') ?? false);
  return { path, pattern, methods };
}
