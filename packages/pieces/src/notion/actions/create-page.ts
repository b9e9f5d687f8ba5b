import { action, dropdown, shortText, textAt } from '@drawbridge/piece-kit';
import { appendBlocks, MAX_BLOCKS, toBlocks } from '../blocks.js';
import { pages } from '../options.js';
import { content } from '../properties.js';
import { toRichText } from '../rich-text.js';

/** Creates a page below a parent page: https://developers.notion.com/reference/post-page */
export const createPage = action({
  displayName: 'Create page',
  description: 'Creates a page below a parent page, and returns it.',
  category: 'write',
  adds: true,
  props: {
    page_id: dropdown('Below', {
      required: true,
      description: 'The parent, shared with the connection.',
      options: pages,
    }),
    title: shortText('Title', { required: true, maxLength: 2000 }),
    content,
  },
  run: async ({ http, input: { page_id, title, content: text } }) => {
    const blocks = toBlocks(text);
    const children = blocks.length > 0 && { children: blocks.slice(0, MAX_BLOCKS) };
    const json = { parent: { page_id }, properties: { title: { title: toRichText(title) } }, ...children };
    const page = await http.json({ method: 'POST', path: '/v1/pages', json });
    const id = textAt(page, 'id');
    if (id) await appendBlocks(http, id, blocks.slice(MAX_BLOCKS));
    return page;
  },
});
