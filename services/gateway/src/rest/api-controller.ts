import { Readable } from 'node:stream';
import { Controller } from '@tsoa/runtime';
import { type Request } from 'express';
import { type Clients } from '../clients.js';
import { type Site } from '../http/site.js';

/** What every controller is made with: the services behind the gateway, and where it is reached. */
export class ApiController extends Controller {
  constructor(
    protected readonly services: Clients,
    protected readonly site: Site,
  ) {
    super();
  }

  /** An answer that is JSON already. A stream goes out as it is, anything else is printed as JSON. */
  protected text<Answer>(json: string): Answer {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    return Readable.from([json]) as unknown as Answer;
  }
}

type ControllerClass<T> = new (services: Clients, site: Site) => T;

/** How the generated routes make a controller, one for each request. */
export function iocContainer(request: Request): { get<T>(controller: ControllerClass<T>): T } {
  const { clients, site } = request.app.locals as { clients: Clients; site: Site };
  return { get: (Controller) => new Controller(clients, site) };
}
