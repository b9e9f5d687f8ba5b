import { Controller } from '@tsoa/runtime';
import { type Request } from 'express';
import { type Clients } from '../clients.js';

/** What every controller is made with: the services behind the gateway. */
export class ApiController extends Controller {
  constructor(protected readonly services: Clients) {
    super();
  }
}

type ControllerClass<T> = new (services: Clients) => T;

/** How the generated routes make a controller, one for each request. */
export function iocContainer(request: Request): { get<T>(controller: ControllerClass<T>): T } {
  return { get: (Controller) => new Controller(request.app.locals['clients'] as Clients) };
}
