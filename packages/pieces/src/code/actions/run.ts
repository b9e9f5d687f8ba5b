import { json, longText, sandboxAction } from '@drawbridge/piece-kit';

const MAX_CODE = 100_000;

export const run = sandboxAction({
  displayName: 'Run code',
  description: 'Returns the value that the code returns, and what it wrote to its console.',
  category: 'code',
  props: {
    code: longText('Code', {
      required: true,
      description:
        'Body of an async JavaScript or TypeScript function with the parameter input, such as return input.a + 1.',
      minLength: 1,
      maxLength: MAX_CODE,
    }),
    input: json('Input', { description: 'The parameter input of the code. null if absent.' }),
  },
  run: async ({ sandbox, signal, input: { code, input = null } }) => {
    const { value, console, durationMs } = await sandbox.run({ code, input, signal });
    return { value, console: console.map(({ level, text }) => ({ level, text })), duration: durationMs };
  },
});
