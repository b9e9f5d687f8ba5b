import { action, staticDropdown, staticMultiSelect } from '@drawbridge/piece-kit';
import { raw, readPage } from '../answers.js';
import { REPOSITORY } from '../fields.js';
import { order, page } from '../properties.js';

/** Lists the repositories that the connection can access: https://docs.github.com/rest/repos/repos#list-repositories-for-the-authenticated-user */
export const listRepositories = action({
  displayName: 'List repositories',
  description:
    'Lists the repositories that the connection can access. Returns one page and the number of the next page.',
  category: 'read',
  props: {
    visibility: staticDropdown('Visibility', ['all', 'public', 'private'], { description: 'Defaults to all.' }),
    affiliation: staticMultiSelect(
      'Access',
      [
        { label: 'Owned by the user', value: 'owner' },
        { label: 'As a collaborator', value: 'collaborator' },
        { label: 'Through an organization', value: 'organization_member' },
      ],
      { description: 'How the user has access. Defaults to all three.' },
    ),
    sort: staticDropdown('Sort by', ['created', 'updated', 'pushed', 'full_name'], {
      description: 'Defaults to full_name.',
    }),
    direction: order,
    ...page,
    raw,
  },
  run: async ({ http, input: { affiliation, raw: isRaw, ...filters } }) => {
    const query = { ...filters, affiliation: affiliation?.join(',') };
    return readPage(http, { method: 'GET', path: '/user/repos', query }, { fields: REPOSITORY, isRaw });
  },
});
