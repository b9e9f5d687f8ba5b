import { shortText, type StateEntry } from '@drawbridge/piece-kit';

export const name = { minLength: 1, maxLength: 255, description: 'The name of the memory, such as favourite-colour.' };
export const memory = shortText('Name', { required: true, ...name });

export function toMemory({ key, value, createdAt }: StateEntry) {
  return { name: key, content: value ?? '', createdAt };
}
