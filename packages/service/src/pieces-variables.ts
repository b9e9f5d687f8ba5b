import { readdirSync } from 'node:fs';
import { text, type Variables } from '@drawbridge/rpc';

/** The variables that every service that uses pieces reads. */
export const PIECES_VARIABLES = {
  INTEGRATIONS_DIR: {
    ...text({
      default: '',
      desc: 'Folder of extra pieces, loaded at the start: `<name>.js`, `<name>.mjs`, `<name>/index.js`.',
    }),
    check: requireReadable,
  },
} satisfies Variables;

function requireReadable(folder: string): void {
  try {
    readdirSync(folder);
  } catch (cause) {
    throw new Error('must be a folder that can be read', { cause });
  }
}
