import { action, dateTime, staticDropdown } from '@drawbridge/piece-kit';
import { present, withoutAnnotations } from '../../microsoft.js';
import { itemPath } from '../item.js';
import { driveId, itemId } from '../properties.js';

/** Creates a link to a file or folder. The same app receives the same link again: https://learn.microsoft.com/graph/api/driveitem-createlink */
export const shareLink = action({
  displayName: 'Share link',
  description: 'Creates a link to a file or folder that gives others access. Returns the permission with the link.',
  category: 'admin',
  idempotent: true,
  props: {
    itemId,
    type: staticDropdown('Access', ['view', 'edit', 'embed'], {
      required: true,
      description: 'embed is for pages, and only for files of personal accounts.',
    }),
    scope: staticDropdown('For', ['anonymous', 'organization', 'users'], {
      description: 'anonymous: anyone with the link. Defaults to the setting of the organization.',
    }),
    expirationDateTime: dateTime('Expires', { description: 'The time when the link ends. Defaults to never.' }),
    driveId,
  },
  run: async ({ http, input }) => {
    const { type, scope, expirationDateTime: expires } = input;
    const json = present({ type, scope, expirationDateTime: expires && toSeconds(expires) });
    const path = itemPath(input, 'itemId', '/createLink');
    return withoutAnnotations(await http.json({ method: 'POST', path, json }));
  },
});

/** Returns a time in the documented format, in UTC without fractions of a second. */
const toSeconds = (time: string): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
