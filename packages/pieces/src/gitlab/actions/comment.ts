import { action, longText, number, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { project } from '../properties.js';
import { inProject } from '../records.js';

const ON = [
  { label: 'Issue', value: 'issues' },
  { label: 'Merge request', value: 'merge_requests' },
] as const;

/** Writes a comment on an issue or a merge request: https://docs.gitlab.com/api/notes/ */
export const comment = action({
  displayName: 'Comment',
  description: 'Writes a comment on an issue or a merge request, and returns it.',
  category: 'write',
  adds: true,
  props: {
    project,
    on: staticDropdown('On', ON, { required: true, description: 'What to comment on.' }),
    iid: number('Number', {
      required: true,
      description: 'The number of the issue or merge request in its project.',
      integer: true,
      minimum: 1,
    }),
    body: longText('Text', { required: true, description: 'Markdown.', minLength: 1, maxLength: 1_000_000 }),
  },
  run: async ({ http, input: { project: id, on, iid, body } }) => {
    const note = await http.json({
      method: 'POST',
      path: inProject(id, `/${on}/{iid}/notes`, { iid }),
      json: { body },
    });
    return pickFields(note, { ...same('id', 'body', 'created_at', 'noteable_type'), author: 'author.username' });
  },
});
