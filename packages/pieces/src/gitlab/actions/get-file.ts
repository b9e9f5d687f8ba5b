import { action, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { filePath, project, ref } from '../properties.js';
import { inProject } from '../records.js';

/** Reads a file. HEAD is the default branch: https://docs.gitlab.com/api/repository_files/#get-file-from-repository */
export const getFile = action({
  displayName: 'Get file',
  description: 'Reads a text file of a repository, with the commit that changed it last.',
  category: 'read',
  props: { project, path: filePath, ref },
  run: async ({ http, input: { project: id, path: file, ref: at = 'HEAD' } }) => {
    const path = inProject(id, '/repository/files/{file}', { file });
    const found = await http.json({ method: 'GET', path, query: { ref: at } });
    const content = Buffer.from(textAt(found, 'content') ?? '', 'base64').toString('utf8');
    return { ...pickFields(found, same('file_path', 'size', 'ref', 'last_commit_id')), content };
  },
});
