import { Controller } from '@tsoa/runtime';
import { type Clients } from '../clients.js';

/** What every controller is made with: the services behind the gateway. */
export class ApiController extends Controller {
  constructor(protected readonly services: Clients) {
    super();
  }
}
