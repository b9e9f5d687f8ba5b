import { shortText, type StateEntry } from '@drawbridge/piece-kit';

export const name = { minLength: 1, maxLength: 255, description: 'Such as favourite-colour.' };
export const memory = shortText('Name', { required: true, ...name });

export function toMemory({ key, value, createdAt }: StateEntry) {
  return { name: key, content: value ?? '', createdAt };
}
