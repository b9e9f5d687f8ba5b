import { action, dropdown, json, listAt } from '@drawbridge/piece-kit';
import { appendBlocks as append, appendOnce, toBlocks } from '../blocks.js';
import { pages } from '../options.js';
import { content } from '../properties.js';

/** Adds blocks at the end of a page: https://developers.notion.com/reference/patch-block-children */
export const appendBlocks = action({
  displayName: 'Append content',
  description: 'Adds content, then blocks, at the end of a page, and returns what was added.',
  category: 'write',
  adds: true,
  props: {
    block_id: dropdown('Page', {
      required: true,
      description: 'A page, or a block that can contain blocks.',
      options: pages,
    }),
    content,
    blocks: json('Blocks', {
      description: "Added after the content, in Notion's block format: developers.notion.com/reference/block.",
      schema: { type: 'array', items: { type: 'object' }, maxItems: 100 },
    }),
  },
  run: async ({ http, input: { block_id, content: text, blocks = [] } }) => {
    const all = [...toBlocks(text), ...blocks];
    // Without blocks the request is sent too, because Notion's error states what is missing.
    if (all.length === 0) return appendOnce(http, block_id, []);
    const answers = await append(http, block_id, all);
    return answers.flatMap((answer) => listAt(answer, 'results'));
  },
});
