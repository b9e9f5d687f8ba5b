import { type NextFunction, type RequestHandler } from 'express';

/**
 * Serves requests of one method and exact URL by handlers in sequence. Express would compare each with every path before, which costs more than the
 * handlers. All other spellings of the path, and the errors of the handlers, take the way of all requests.
 */
export function directRoute(method: string, url: string, handlers: readonly RequestHandler[]): RequestHandler {
  const serve = inSequence(handlers);
  return (request, response, next) =>
    request.method === method && request.url === url ? serve(request, response, next) : next();
}

/** Returns a handler that runs each handler when the one before calls `next`, as Express does. */
function inSequence(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    const run = (at: number): void => {
      const handler = handlers[at];
      if (!handler) return done();
      const next = ((error?: unknown): void => (error === undefined ? run(at + 1) : done(error))) as NextFunction;
      try {
        const running: unknown = handler(request, response, next);
        if (running instanceof Promise) running.catch(done);
      } catch (error) {
        done(error);
      }
    };
    run(0);
  };
}
