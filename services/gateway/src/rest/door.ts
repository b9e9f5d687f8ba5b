import { Controller } from '@tsoa/runtime';
import { type Clients } from '../clients.js';

/** What every controller is made with: the services behind the door. */
export class Door extends Controller {
  constructor(protected readonly services: Clients) {
    super();
  }
}
