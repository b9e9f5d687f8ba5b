import { action, dropdown, json, listAt } from '@drawbridge/piece-kit';
import { appendBlocks as append, toBlocks } from '../blocks.js';
import { pages } from '../options.js';
import { someContent } from '../properties.js';

/** https://developers.notion.com/reference/patch-block-children */
export const appendBlocks = action({
  displayName: 'Append content',
  description: 'Adds text or blocks at the end of a page.',
  category: 'write',
  adds: true,
  props: {
    block_id: dropdown('Page', {
      required: true,
      description: 'The id of a page, or of a block that can contain blocks.',
      options: pages,
    }),
    content: someContent,
    blocks: json('Blocks', {
      description:
        "Block objects in Notion's format, added after the content. See developers.notion.com/reference/block.",
      schema: { type: 'array', items: { type: 'object' }, maxItems: 100 },
    }),
  },
  run: async ({ http, input: { block_id, content: text, blocks = [] } }) => {
    const answers = await append(http, block_id, [...toBlocks(text), ...blocks]);
    return answers.flatMap((answer) => listAt(answer, 'results'));
  },
});
