import { action, shortText } from '@drawbridge/piece-kit';
import { toPage, toStorage, V2 } from '../pages.js';
import { format, ID, space, text, title } from '../properties.js';

/** Creates a page in a space: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-post */
export const createPage = action({
  displayName: 'Create page',
  description: 'Creates a page in a space and returns its id.',
  category: 'write',
  adds: true,
  props: {
    space,
    title,
    text,
    format,
    parent: shortText('Parent', { description: 'The id of the page above it.', pattern: ID }),
  },
  run: async ({ http, input: { space: spaceId, title: name, parent, ...written } }) => {
    const json = {
      ...{ spaceId, status: 'current', title: name },
      ...(parent && { parentId: parent }),
      body: toStorage(written),
    };
    const { content: _content, ...created } = toPage(await http.json({ method: 'POST', path: `${V2}/pages`, json }));
    return created;
  },
});
