import { action, expandPath, type Http, type HttpRequest, number, ProviderError } from '@drawbridge/piece-kit';
import { raw, short } from '../answers.js';
import { PULL_REQUEST } from '../fields.js';
import { pullNumber, repo } from '../properties.js';

const DIFF_LIMIT = 100_000;

/** Returns a pull request with its diff: https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
export const getPullRequest = action({
  displayName: 'Get pull request',
  description:
    'Reads a pull request with its diff. "diff" is null if GitHub refuses to make it, as it does above 300 files.',
  category: 'read',
  props: {
    repo,
    pull_number: pullNumber,
    diff_limit: number('Longest diff', {
      description: 'Characters; a longer diff is cut and diff_cut is true. Defaults to 100,000; 0 omits the diff.',
      integer: true,
      minimum: 0,
      maximum: 1_000_000,
    }),
    raw,
  },
  run: async ({ http, input }) => {
    const { diff_limit: limit = DIFF_LIMIT } = input;
    const request = { method: 'GET', path: expandPath('/repos/{+repo}/pulls/{pull_number}', input) };
    const pull = short(await http.json(request), PULL_REQUEST, input.raw);
    if (limit === 0) return pull;

    const diff = await readDiff(http, request);
    return { ...pull, diff: diff && diff.slice(0, limit), diff_cut: (diff?.length ?? 0) > limit };
  },
});

/** Returns null if GitHub rejects the request because the diff is too large. The status differs between limits, but the code does not. */
async function readDiff(http: Http, request: HttpRequest): Promise<string | null> {
  try {
    const { body } = await http.request({ ...request, headers: { accept: 'application/vnd.github.diff' } });
    return Buffer.from(body).toString('utf8');
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'too_large') return null;
    throw error;
  }
}
