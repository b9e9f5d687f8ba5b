import { action, expandPath, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { branch, path, repo } from '../properties.js';

/** https://docs.github.com/rest/repos/contents#create-or-update-file-contents */
export const putFile = action({
  displayName: 'Put file',
  description: 'Commits a file: a new one, or over the one whose SHA is given.',
  category: 'write',
  props: {
    repo,
    path,
    message: shortText('Commit message', { required: true, minLength: 1, maxLength: 65_536 }),
    content: longText('Content', { required: true }),
    encoding: staticDropdown('Content is', ['text', 'base64'], { description: 'Text if absent.' }),
    branch: branch.toWrite,
    // Without the SHA, GitHub refuses to overwrite a file, which may have changed meanwhile.
    sha: shortText('SHA', {
      description: 'Of the file to replace, as Get file answers it.',
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
