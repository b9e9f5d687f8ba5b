import { action, longText, shortText, textAt } from '@drawbridge/piece-kit';
import { ifStatus } from '../../if-status.js';
import { pickFields, same } from '../../pick-fields.js';
import { branch, filePath, project } from '../properties.js';
import { inProject } from '../records.js';

/** Creates or updates a file, which are separate requests: https://docs.gitlab.com/api/repository_files/ */
export const putFile = action({
  displayName: 'Put file',
  description: 'Creates or replaces a text file of a repository by a commit on a branch. Returns its path and branch.',
  category: 'write',
  props: {
    project,
    path: filePath,
    branch,
    content: longText('Content', { required: true, description: 'The content of the file.', maxLength: 1_000_000 }),
    message: shortText('Message', { required: true, description: 'The commit message.', minLength: 1, maxLength: 500 }),
  },
  run: async ({ http, input: { project: id, path: file, branch: name, content, message } }) => {
    const path = inProject(id, '/repository/files/{file}', { file });
    const known = await http.json({ method: 'GET', path, query: { ref: name } }).catch(ifStatus(404, null));
    const lastCommit = textAt(known ?? {}, 'last_commit_id');
    const json = {
      ...{ branch: name, content, commit_message: message },
      // GitLab rejects the change if the file was changed after it was read.
      ...(lastCommit && { last_commit_id: lastCommit }),
    };
    const answer = await http.json({ method: known === null ? 'POST' : 'PUT', path, json });
    return { ...pickFields(answer, same('file_path', 'branch')), isNew: known === null };
  },
});
