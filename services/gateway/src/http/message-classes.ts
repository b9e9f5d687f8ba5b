import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Express, type Request, type Response } from 'express';

/**
 * Gives the requests and responses of `app` classes of their own, and returns the options with which `createServer` uses these classes. Express would
 * otherwise replace the prototypes of each request and response, and V8 then reads their properties more slowly.
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
