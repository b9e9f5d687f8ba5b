import { listAt, listOptions, type LoadOptions, type Paging } from '@drawbridge/piece-kit';

/** These lists have one page. */
const whole = (items: string): Paging => ({ items: (body) => listAt(body, items), next: () => undefined });

/** Lists teammates: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/admins/listadmins */
export const admins: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/admins' }, { paging: whole('admins') });

/** Lists tags: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tags/listtags */
export const tags: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/tags' }, { paging: whole('data') });

/** Lists ticket types: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/ticket-types/listtickettypes */
export const ticketTypes: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/ticket_types' }, { paging: whole('data') });
