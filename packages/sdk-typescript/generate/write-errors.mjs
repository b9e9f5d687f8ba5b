// Writes a class for each error code of docs/errors.md, so that programs can write `catch (error) { if (error instanceof NotFoundError) … }`.

/** Returns the text of src/gen/errors.ts. */
export function writeErrors(page) {
  const codes = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| (.*?) \|/gm)].map(([, code, meaning]) => ({
    code,
    meaning,
  }));
  if (codes.length === 0) throw new Error('docs/errors.md has no table of codes: adapt generate/write-errors.mjs');
  const classes = codes.map(({ code, meaning }) => {
    const sentence = meaning.replaceAll('*/', '*\\/');
    return `/** \`${code}\`: ${sentence}. */\nexport class ${toClass(code)} extends ApiError<'${code}'> {}\n`;
  });
  const table = codes.map(({ code }) => `  ${code}: ${toClass(code)},`).join('\n');
  return `// Generated from docs/errors.md.
import { ApiError } from '../api-error.js';

${classes.join('\n')}
/** The class of each code. */
export const ERRORS = {
${table}
};

/** Every error code of the API. */
export type ErrorCode = keyof typeof ERRORS;
`;
}

/**
 * Returns the class name of an error code: `McpBearerDisabledError` for `MCP_BEARER_DISABLED`. `TIMEOUT` and `INTERNAL` become `ServerTimeoutError`
 * and `InternalServerError`, because shorter names would be easy to confuse with errors of the language.
 */
export function toClass(code) {
  const words = code
    .replace(/_ERROR$/, '')
    .toLowerCase()
    .split('_');
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return `${{ Timeout: 'ServerTimeout', Internal: 'InternalServer' }[name] ?? name.replace('Oauth', 'OAuth')}Error`;
}
