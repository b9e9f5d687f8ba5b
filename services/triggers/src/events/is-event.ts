import { type TriggerEvent } from '@drawbridge/piece-kit';

/** Our compiler has not checked external pieces, so their events are validated at run time. */
export function isEvent(given: unknown): given is TriggerEvent {
  const { id, data, signature } = (given ?? {}) as Partial<TriggerEvent>;
  const isSaid = signature === undefined || typeof signature === 'string';
  return (
    isSaid && typeof id === 'string' && id !== '' && typeof data === 'object' && data !== null && !Array.isArray(data)
  );
}
