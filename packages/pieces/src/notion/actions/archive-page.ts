import { action, dropdown, expandPath } from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { pages } from '../options.js';

/** Moves a page or an item to the trash: https://developers.notion.com/reference/archive-a-page */
export const archivePage = action({
  displayName: 'Archive page',
  description: 'Moves a page or an item to the trash, where it can be restored, and returns it.',
  category: 'delete',
  idempotent: true,
  props: {
    page_id: dropdown('Page', { required: true, description: 'A page or an item.', options: pages }),
  },
  run: async ({ http, input: { page_id } }) => {
    const path = expandPath('/v1/pages/{page_id}', { page_id });
    return toItem(await http.json({ method: 'PATCH', path, json: { in_trash: true } }));
  },
});
