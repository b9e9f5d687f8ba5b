import { type HttpRequest, type JsonValue, listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';
import { cursorPages, FIRST } from './paging.js';

/** Lists the agents and administrators: https://developer.zendesk.com/api-reference/ticketing/users/users/#list-users */
export const agents: LoadOptions = ({ http }) => {
  const request: HttpRequest = {
    method: 'GET',
    path: '/api/v2/users',
    query: { 'role[]': ['agent', 'admin'], ...FIRST },
  };
  const label = (user: JsonValue) => textAt(user, 'name') ?? textAt(user, 'email');
  return listOptions(http, request, { label, paging: cursorPages('users') });
};

/** Lists the groups of agents: https://developer.zendesk.com/api-reference/ticketing/groups/groups/#list-groups */
export const groups: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/api/v2/groups', query: FIRST }, { paging: cursorPages('groups') });
