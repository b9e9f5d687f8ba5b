import { action, expandPath, json, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { raw, short } from '../answers.js';
import { REVIEW } from '../fields.js';
import { pullNumber, repo } from '../properties.js';

const SIDE = { type: 'string', enum: ['LEFT', 'RIGHT'] } as const;
const LINE = { type: 'integer', minimum: 1 } as const;

/** Approves a pull request, requests changes or adds comments: https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request */
export const reviewPullRequest = action({
  displayName: 'Review pull request',
  description:
    'Approves a pull request, requests changes or comments on it, with comments on lines. Returns the review.',
  category: 'write',
  adds: true,
  props: {
    repo,
    pull_number: pullNumber,
    event: staticDropdown(
      'Decision',
      [
        { label: 'Approve', value: 'APPROVE' },
        { label: 'Request changes', value: 'REQUEST_CHANGES' },
        { label: 'Comment', value: 'COMMENT' },
      ],
      { required: true },
    ),
    body: longText('Text', { description: 'Markdown. Only an approval can omit it.', maxLength: 65_536 }),
    comments: json('Comments on lines', {
      description:
        'Such as [{"path": "src/index.ts", "line": 12, "body": "Why?"}]. side is LEFT for a removed line; start_line begins a range.',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', minLength: 1 },
            body: { type: 'string', minLength: 1 },
            line: LINE,
            side: SIDE,
            start_line: LINE,
            start_side: SIDE,
          },
          required: ['path', 'body', 'line'],
          additionalProperties: false,
        },
      },
    }),
    commit_id: shortText('Commit', {
      description: 'SHA. Defaults to the newest commit of the pull request.',
      pattern: '^[0-9a-f]{40,64}$',
    }),
    raw,
  },
  run: async ({ http, input }) => {
    const { repo: _repo, pull_number: _number, raw: isRaw, ...review } = input;
    const path = expandPath('/repos/{+repo}/pulls/{pull_number}/reviews', input);
    return short(await http.json({ method: 'POST', path, json: review }), REVIEW, isRaw);
  },
});
