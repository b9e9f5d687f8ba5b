import { action, dropdown, expandPath, member } from '@drawbridge/piece-kit';
import { titleOf, toItem } from '../items.js';
import { pages } from '../options.js';

/**
 * Reads a page, and its content as Markdown: https://developers.notion.com/reference/retrieve-a-page and
 * https://developers.notion.com/reference/retrieve-page-markdown
 */
export const getPage = action({
  displayName: 'Get page',
  description: 'Reads a page: its title, its properties as plain values and its content as Markdown.',
  category: 'read',
  props: {
    page_id: dropdown('Page', { required: true, description: 'A page or an item.', options: pages }),
  },
  run: async ({ http, input: { page_id } }) => {
    const page = await http.json({ method: 'GET', path: expandPath('/v1/pages/{page_id}', { page_id }) });
    const content = await http.json({ method: 'GET', path: expandPath('/v1/pages/{page_id}/markdown', { page_id }) });
    const [markdown, isTruncated] = [member(content, 'markdown'), member(content, 'truncated')];
    return { ...toItem(page), title: titleOf(page), markdown: markdown ?? '', truncated: isTruncated ?? false };
  },
});
