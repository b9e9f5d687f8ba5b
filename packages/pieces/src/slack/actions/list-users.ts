import { action, checkbox, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { USER } from '../fields.js';
import { byCursor } from '../paging.js';
import { isActive, isHuman } from '../people.js';
import { limit, raw } from '../properties.js';

/** Slack cannot filter users, so at most this number is read and filtered. */
const READ = 10_000;

/** Lists the people of the workspace: https://docs.slack.dev/reference/methods/users.list */
export const listUsers = action({
  displayName: 'List users',
  description: 'Lists the people of the workspace, and on request bots and deactivated users.',
  category: 'read',
  props: {
    bots: checkbox('Include bots'),
    deactivated: checkbox('Include deactivated users'),
    limit,
    raw,
  },
  run: async ({ http, input: { bots, deactivated, limit: most = 100, raw: isRaw } }) => {
    const request = { method: 'GET', path: '/api/users.list', query: { limit: 200 } };
    const users: JsonValue[] = [];
    for await (const user of http.pages(request, READ, byCursor('members'))) {
      if ((bots || isHuman(user)) && (deactivated || isActive(user))) users.push(isRaw ? user : pickFields(user, USER));
      if (users.length === most) break;
    }
    return users;
  },
});
