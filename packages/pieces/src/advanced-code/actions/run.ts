import { json, LANGUAGES, longText, programAction, staticDropdown } from '@drawbridge/piece-kit';

const MAX_CODE = 100_000;

export const run = programAction({
  displayName: 'Run a program',
  description: 'Returns the output of the program, its exit code, and the files that it created or changed.',
  category: 'code',
  props: {
    language: staticDropdown('Language', LANGUAGES, { required: true }),
    code: longText('Code', {
      required: true,
      description: 'The program. It runs in the folder of its files.',
      minLength: 1,
      maxLength: MAX_CODE,
    }),
    input: json('Input', {
      description: 'JSON on the standard input, and the global variable input (JavaScript, Python).',
    }),
  },
  run: async ({ sandbox, signal, input: { language, code, input = null } }) => {
    const { durationMs, ...result } = await sandbox.runProgram({ language, code, input, signal });
    return { ...result, duration: durationMs };
  },
});
