import { type RequestHandler, Router } from 'express';
import { routeOf } from './route-table.js';

/**
 * The routes that `register` makes, each reached by what the route table found: a request is not compared with every
 * operation once more.
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
  return (request, response, next) => byPath.get(routeOf(response))!(request, response, next);
}
