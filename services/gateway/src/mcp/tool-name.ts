import { createHash } from 'node:crypto';

/** The strictest clients accept `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX = 64;
const TAKEN = /^[a-zA-Z0-9_-]+$/;
const BETWEEN = '__';
const DIGEST = 10;

/**
 * Returns `<alias>__<action>`, the name of a tool: always the same for one pair, and different for any other pair. If that is too long, has
 * characters that clients refuse, or could be read as another pair, the name ends in a digest of the pair.
 */
export function toolName(alias: string, actionName: string): string {
  const plain = `${alias}${BETWEEN}${actionName}`;
  const isPlain = plain.length <= MAX && TAKEN.test(plain) && isReadInOneWay(alias, actionName);
  return isPlain ? plain : withDigest(plain, alias, actionName);
}

/** Returns whether the first two underscores in a row must be the separator. */
function isReadInOneWay(alias: string, actionName: string): boolean {
  return !alias.includes(BETWEEN) && !alias.endsWith('_') && !actionName.startsWith('_');
}

function withDigest(plain: string, alias: string, actionName: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([alias, actionName]))
    .digest('hex')
    .slice(0, DIGEST);
  return `${plain.replace(/[^a-zA-Z0-9_-]/g, '-').slice(0, MAX - DIGEST - 1)}-${digest}`;
}
