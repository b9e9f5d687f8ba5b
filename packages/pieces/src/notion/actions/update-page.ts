import { action, dropdown, expandPath, shortText } from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { pages } from '../options.js';
import { toRichText } from '../rich-text.js';

/** Changes the title, icon or cover of a page: https://developers.notion.com/reference/patch-page */
export const updatePage = action({
  displayName: 'Update page',
  description:
    'Changes the title, icon or cover of a page, and returns it. "Update item" changes the other properties of an item.',
  category: 'write',
  idempotent: true,
  props: {
    page_id: dropdown('Page', { required: true, description: 'A page or an item.', options: pages }),
    title: shortText('Title', { description: 'The new title.', maxLength: 2000 }),
    icon: shortText('Icon', { description: 'An emoji, such as 🍵.', minLength: 1, maxLength: 32 }),
    cover: shortText('Cover', {
      description: 'The public URL of an image.',
      pattern: '^https://[^\\s]+$',
      maxLength: 2000,
    }),
  },
  run: async ({ http, input: { page_id, title, icon, cover } }) => {
    const json = {
      // Each page has one property with the id "title", even if the property has another name.
      ...(title !== undefined && { properties: { title: { title: toRichText(title) } } }),
      ...(icon && { icon: { emoji: icon } }),
      ...(cover && { cover: { external: { url: cover } } }),
    };
    return toItem(await http.json({ method: 'PATCH', path: expandPath('/v1/pages/{page_id}', { page_id }), json }));
  },
});
