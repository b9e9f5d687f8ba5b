import { ERROR_STATUS } from '@drawbridge/contracts';
import { EVERYWHERE, MEANINGS } from './failures.mjs';

const HEAD = `# Errors

Written by \`pnpm build\` from \`packages/contracts/src/errors.ts\` and what each operation says of itself. Every error, whatever its status, is

\`\`\`json
{ "error": "slug: is required", "code": "VALIDATION_ERROR", "details": { "fields": { "slug": { "message": "is required" } } } }
\`\`\`

\`error\` is for people and may change; \`code\` and \`details\` are for programs.

| code | status | means | of |
| ---- | ------ | ----- | -- |
`;

/** Returns docs/errors.md: each code with its statuses, and the operations that may return it. */
export function toErrorsPage(operations) {
  const rows = Object.keys(ERROR_STATUS).map((code) => {
    const giving = operations.flatMap((operation) => failuresOf(operation).filter((failure) => failure.code === code));
    const statuses = [...new Set([ERROR_STATUS[code], ...giving.map(({ status }) => status)])].sort();
    const of = EVERYWHERE.has(code) ? 'every operation' : [...new Set(giving.map(({ id }) => id))].join(', ');
    return `| \`${code}\` | ${statuses.join(', ')} | ${MEANINGS[code]} | ${of || 'the door itself'} |\n`;
  });
  return HEAD + rows.join('');
}

/** Reads the codes from the names of the responses: `400.VALIDATION_ERROR.NO_UPDATES`. */
function failuresOf({ operationId: id, responses }) {
  return Object.values(responses).flatMap(({ $ref = '' }) => {
    const [status, ...codes] = $ref.split('/').at(-1).split('.');
    return codes.map((code) => ({ id, status: Number(status), code }));
  });
}
