import { action, json, longText } from '@drawbridge/piece-kit';
import { evaluate } from '../evaluate.js';

/** https://docs.jsonata.org */
export const transform = action({
  displayName: 'Transform',
  description: 'Answers what a JSONata expression makes of a JSON value.',
  category: 'read',
  isolated: true,
  props: {
    expression: longText('Expression', {
      required: true,
      description: 'JSONata, such as items[price > 10].name. It has a second.',
      minLength: 1,
      maxLength: 10_000,
    }),
    data: json('Data', { description: 'What the expression is about; $ in it. null if absent.' }),
  },
  run: async ({ input: { expression, data = null } }) => ({ result: evaluate(expression, data) }),
});
