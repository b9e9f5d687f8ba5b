import { action, json, longText } from '@drawbridge/piece-kit';
import { evaluate } from '../evaluate.js';

/** Evaluates a JSONata expression for a JSON value: https://docs.jsonata.org */
export const transform = action({
  displayName: 'Transform',
  description: 'Evaluates a JSONata expression on a JSON value and returns the result.',
  category: 'read',
  isolated: true,
  props: {
    expression: longText('Expression', {
      required: true,
      description: 'JSONata, such as items[price > 10].name. Must finish within one second.',
      minLength: 1,
      maxLength: 10_000,
    }),
    data: json('Data', { description: '$ in the expression. Defaults to null.' }),
  },
  run: async ({ input: { expression, data = null } }) => ({ result: evaluate(expression, data) }),
});
