import { createHash } from 'node:crypto';

/** What the strictest clients take: `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX = 64;
const TAKEN = /^[a-zA-Z0-9_-]+$/;
const BETWEEN = '__';
const DIGEST = 10;

/**
 * `<alias>__<action>`, by which a call is found again: always the same for the same two, and of no others. Where that is too long, has
 * characters that clients refuse, or could be read as that of another pair, the digest of the two tells them apart.
 */
export function toolName(alias: string, actionName: string): string {
  const plain = `${alias}${BETWEEN}${actionName}`;
  const isPlain = plain.length <= MAX && TAKEN.test(plain) && isReadInOneWay(alias, actionName);
  return isPlain ? plain : withDigest(plain, alias, actionName);
}

/** The first two underscores are those between. */
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
