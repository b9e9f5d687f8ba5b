import { action, dateTime, type Http, listAt, ProviderError, staticDropdown, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { item } from '../properties.js';
import { rpc } from '../requests.js';

/**
 * Creates a shared link to a file or folder, or returns its existing link:
 * https://www.dropbox.com/developers/documentation/http/documentation#sharing-create_shared_link_with_settings
 */
export const shareLink = action({
  displayName: 'Share link',
  description: 'Returns a link to a file or folder. If it has a link already, that one is returned unchanged.',
  category: 'admin',
  idempotent: true,
  props: {
    path: item,
    audience: staticDropdown('Audience', ['public', 'team', 'no_one'], {
      description: 'Who can use the link. "no_one": people with access. Defaults to the setting of the account.',
    }),
    access: staticDropdown('Access', ['viewer', 'editor'], {
      description: 'What these people can do. Defaults to viewer.',
    }),
    expires: dateTime('Expires', { description: 'When the link ends. Needs a paid account.' }),
  },
  run: async ({ http, input: { path, ...given } }) => {
    const settings = { ...given, ...(given.expires && { expires: wholeSeconds(given.expires) }) };
    const link = await http
      .json(rpc('sharing/create_shared_link_with_settings', { path, settings }))
      .catch((error: unknown) => existingLink(http, path, error));
    return pickFields(link, same('url', 'id', 'name', 'expires', 'path_lower'));
  },
});

/** Dropbox refuses fractions of a second. */
const wholeSeconds = (time: string): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/**
 * Returns the existing link of a file or folder if a new link was rejected for that reason, otherwise rethrows the error:
 * https://www.dropbox.com/developers/documentation/http/documentation#sharing-list_shared_links
 */
async function existingLink(http: Http, path: string, error: unknown) {
  if (!(error instanceof ProviderError) || !error.code?.startsWith('shared_link_already_exists')) throw error;
  const links = await http.json(rpc('sharing/list_shared_links', { path, direct_only: true }));
  const link = listAt(links, 'links').find((one) => textAt(one, 'url'));
  if (!link) throw error;
  return link;
}
