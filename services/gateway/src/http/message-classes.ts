import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Express, type Request, type Response } from 'express';

/**
 * Returns the options of `createServer` with which each request and response is created with the methods of Express. Express otherwise replaces
 * their prototypes when a request arrives, and V8 then reads their properties more slowly.
 */
export function messageClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Request;
  app.response = ExpressResponse.prototype as unknown as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
