import { action, checkbox, dropdown, expandPath, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { raw, short } from '../answers.js';
import { RELEASE } from '../fields.js';
import { ofRepository } from '../options.js';
import { repo } from '../properties.js';

/** Publishes a release for a tag, or creates a draft of it: https://docs.github.com/rest/releases/releases#create-a-release */
export const createRelease = action({
  displayName: 'Create release',
  description:
    'Publishes a release for a tag, or drafts it. Creates the tag if it does not exist. Returns the release.',
  summary: 'Create a release in {repo}',
  category: 'write',
  adds: true,
  props: {
    repo,
    tag_name: shortText('Tag', { required: true, description: 'Such as v1.2.0.', minLength: 1 }),
    target_commitish: dropdown('Branch or commit', {
      description: 'Where a new tag is created. Defaults to the default branch.',
      refreshers: ['repo'],
      options: ofRepository('branches', 'name'),
    }),
    name: shortText('Title'),
    body: longText('Notes', { description: 'Markdown.' }),
    generate_release_notes: checkbox('Generate notes', {
      description: 'GitHub writes title and notes. A given title is kept; given notes come first.',
    }),
    draft: checkbox('Draft', { description: 'Saves the release without publishing it.' }),
    prerelease: checkbox('Pre-release', { description: 'Marks the release as not ready for production.' }),
    make_latest: staticDropdown('Latest release', ['true', 'false', 'legacy'], {
      description: 'legacy decides by date and version. Defaults to true.',
    }),
    raw,
  },
  run: async ({ http, input }) => {
    const { repo: _repo, raw: isRaw, ...release } = input;
    const path = expandPath('/repos/{+repo}/releases', input);
    return short(await http.json({ method: 'POST', path, json: release }), RELEASE, isRaw);
  },
});
