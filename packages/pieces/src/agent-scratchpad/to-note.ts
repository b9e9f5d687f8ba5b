import { type StateEntry } from '@drawbridge/piece-kit';

export function toNote({ key, value, createdAt }: StateEntry) {
  return { id: key, text: value ?? '', createdAt };
}
