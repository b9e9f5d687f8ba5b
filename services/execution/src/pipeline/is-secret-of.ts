import { type Action } from '@drawbridge/piece-kit';

/** Which keys of an action's input hold a secret. */
export function isSecretOf({ props }: Action): (key: string) => boolean {
  return (key) => Object.hasOwn(props, key) && props[key]?.type === 'SECRET_TEXT';
}
