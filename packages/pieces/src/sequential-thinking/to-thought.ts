import { type StateEntry } from '@drawbridge/piece-kit';

export function toThought({ note, value, createdAt }: StateEntry) {
  return { ...note, thought: value ?? '', createdAt };
}
