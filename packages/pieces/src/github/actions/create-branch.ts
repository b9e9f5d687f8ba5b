import { action, dropdown, expandPath, type Http, ProviderError, shortText, textAt } from '@drawbridge/piece-kit';
import { ofRepository } from '../options.js';
import { repo } from '../properties.js';

/** Creates a branch from another branch, a tag or a commit: https://docs.github.com/rest/git/refs#create-a-reference */
export const createBranch = action({
  displayName: 'Create branch',
  description: 'Creates a branch from another branch, a tag or a commit. Returns its name and the SHA of its commit.',
  category: 'write',
  adds: true,
  props: {
    repo,
    name: shortText('Name', {
      required: true,
      description: 'Name of the new branch, such as fix/login.',
      pattern: '^[^\\s~^:?*\\[\\\\]+$',
      maxLength: 244,
    }),
    from: dropdown('From', {
      description: 'A branch, tag or SHA. Defaults to the default branch.',
      refreshers: ['repo'],
      options: ofRepository('branches', 'name'),
    }),
  },
  run: async ({ http, input }) => {
    const ref = input.from ?? (await defaultBranch(http, input.repo));
    const sha = await shaOf(http, { repo: input.repo, ref });
    const branch = { ref: `refs/heads/${input.name}`, sha };
    await http.json({ method: 'POST', path: expandPath('/repos/{+repo}/git/refs', input), json: branch });
    return { name: input.name, ...branch };
  },
});

/** Returns the name of the default branch of a repository: https://docs.github.com/rest/repos/repos#get-a-repository */
async function defaultBranch(http: Http, repo: string): Promise<string> {
  const name = textAt(
    await http.json({ method: 'GET', path: expandPath('/repos/{+repo}', { repo }) }),
    'default_branch',
  );
  if (!name) throw new ProviderError('GitHub did not return the default branch of the repository');
  return name;
}

/** Returns the SHA of a commit. With this media type the response contains only the SHA: https://docs.github.com/rest/commits/commits#get-a-commit */
async function shaOf(http: Http, place: { repo: string; ref: string }): Promise<string> {
  const path = expandPath('/repos/{+repo}/commits/{+ref}', place);
  const { body } = await http.request({ method: 'GET', path, headers: { accept: 'application/vnd.github.sha' } });
  return Buffer.from(body).toString('utf8').trim();
}
