// Writes a class for each error code of docs/errors.md, with the names of the TypeScript SDK.
import { toClass } from '../../sdk-typescript/generate/write-errors.mjs';

/** Returns the text of src/drawbridge/_codes.py. */
export function writeErrors(page) {
  const codes = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| (.*?) \|/gm)].map(([, code, meaning]) => ({
    code,
    meaning,
  }));
  if (codes.length === 0) throw new Error('docs/errors.md has no table of codes: adapt generate/write-errors.mjs');
  const classes = codes.map(
    ({ code, meaning }) =>
      `class ${toClass(code)}(ApiError):\n    """\`${code}\`: ${meaning.replaceAll('\\', '\\\\')}."""\n`,
  );
  const table = codes.map(({ code }) => `    "${code}": ${toClass(code)},\n`).join('');
  return `# Generated from docs/errors.md.
from __future__ import annotations

from ._errors import ApiError

${classes.map((text) => `\n${text}`).join('\n')}

CLASSES: dict[str, type[ApiError]] = {
${table}}
"""The class of each code."""
`;
}
