import { action, expandPath, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { branch, path, repo } from '../properties.js';

/** Creates or replaces a file in one commit: https://docs.github.com/rest/repos/contents#create-or-update-file-contents */
export const putFile = action({
  displayName: 'Put file',
  description: 'Creates a file, or replaces the file with the given SHA, in one commit. Returns both.',
  summary: 'Write the file {path} in {repo}',
  category: 'write',
  props: {
    repo,
    path,
    message: shortText('Commit message', { required: true, minLength: 1, maxLength: 65_536 }),
    content: longText('Content', { required: true }),
    encoding: staticDropdown('Content encoding', ['text', 'base64'], { description: 'Defaults to text.' }),
    branch: branch.toWrite,
    // Without the SHA, GitHub does not overwrite a file, because the file may have changed.
    sha: shortText('SHA', {
      description: 'SHA from "Get file". Omit it for a new file.',
      pattern: '^[0-9a-f]{40,64}$',
    }),
  },
  run: async ({ http, input }) => {
    const { message, content, encoding, branch, sha } = input;
    const base64 = encoding === 'base64' ? content : Buffer.from(content, 'utf8').toString('base64');
    return http.json({
      method: 'PUT',
      path: expandPath('/repos/{+repo}/contents/{+path}', input),
      json: { message, content: base64, ...(branch && { branch }), ...(sha && { sha }) },
    });
  },
});
