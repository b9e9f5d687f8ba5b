import { type Request } from 'express';
import { type Clients } from '../clients.js';

type ControllerClass<T> = new (services: Clients) => T;

/** How the generated routes make a controller, one for each request. */
export function iocContainer(request: Request): { get<T>(controller: ControllerClass<T>): T } {
  return { get: (Controller) => new Controller(request.app.locals['clients'] as Clients) };
}
